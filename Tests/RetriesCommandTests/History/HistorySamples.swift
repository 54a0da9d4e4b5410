import Foundation
import RetryReport

extension Sample {
    /// A run that counts marks.
    static func run(_ number: Int, _ marks: [MarkCount], retries: [FlakyTest] = [], id: String? = nil) -> Report {
        let start = start + Double(number) * 3600
        let run = Report.Run(id: id ?? "run-\(number)", startedAt: start, finishedAt: start + 60)
        return Report(run: run, retries: retries, marks: marks)
    }

    static func mark(
        _ reason: String,
        file: String = "Tests/ShopTests/Login.swift",
        line: Int = 12,
        runs: Int = 1,
        flakes: Int = 0,
        failures: Int = 0
    ) -> MarkCount {
        MarkCount(
            file: file,
            line: line,
            module: "ShopTests",
            reason: reason,
            fixable: true,
            maxRetryCount: 1,
            runs: runs,
            flakes: flakes,
            failures: failures
        )
    }

    /// A test that flaked because of ``mark(_:file:line:runs:flakes:failures:)`` and recovered.
    static func flaked(
        _ reason: String,
        file: String? = "Tests/ShopTests/Login.swift",
        line: Int? = 12,
        in number: Int
    ) -> FlakyTest {
        let start = start + Double(number) * 3600
        let failure = Failure(message: "XCTAssertTrue failed - ", file: file, line: 14, kind: .assertion)
        return FlakyTest(
            name: "-[LoginTests testSignsIn]",
            module: "ShopTests",
            maxRetriesAllowed: 1,
            attemptedRetries: 1,
            reason: reason,
            fixable: true,
            outcome: .recovered,
            file: file,
            line: line,
            attempts: [
                AttemptRecord(number: 1, outcome: .flaked, startedAt: start, duration: 2, failures: [failure]),
                AttemptRecord(number: 2, outcome: .passed, startedAt: start + 3, duration: 1.5),
            ]
        )
    }

    /// 120 runs: one mark that flakes now and then, one that never does, one that flakes nearly always, and one that is new.
    static let many: [Report] = (0..<120).map { number in
        let isFlaky = number % 40 == 7
        var marks = [
            mark("the token arrives late", runs: isFlaky ? 2 : 1, flakes: isFlaky ? 1 : 0),
            mark("the basket is empty at first", file: "Tests/ShopTests/Basket.swift", line: 30),
            mark("the price is wrong", file: "Tests/ShopTests/Price.swift", line: 5, runs: 2, flakes: 1, failures: 1),
        ]
        if number > 110 { marks.append(mark("a new one", file: "Tests/ShopTests/Search.swift", line: 8)) }
        return run(number, marks, retries: isFlaky ? [flaked("the token arrives late", in: number)] : [])
    }
}
