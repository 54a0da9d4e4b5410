import Foundation

@testable import RetryReport

extension Sample {
    /// A run that counts marks.
    static func run(_ number: Int, _ marks: [MarkCount], retries: [TestRecord] = [], id: String? = nil) -> Report {
        let start = start + Double(number) * 3600
        let run = Report.Run(id: id ?? "run-\(number)", startedAt: start, finishedAt: start + 60)
        return Report(run: run, tests: retries, marks: marks)
    }

    static func mark(
        _ reason: String,
        file: String = "Tests/ShopTests/Login.swift",
        line: Int = 12,
        runs: Int = 1,
        flakes: Int = 0,
        failures: Int = 0,
        until: String? = nil
    ) -> MarkCount {
        let module = "ShopTests"
        var mark = MarkCount(.fixable(reason: reason, until: until), file: file, line: line, module: module)
        (mark.attempts, mark.flakes, mark.failures) = (runs, flakes, failures)
        return mark
    }

    /// 80 runs of two marks that flake together, on a busy machine, of one that began to flake with run 40, and of a calm one.
    static let causes: [Report] = (0..<80).map { number in
        let away = number % 10 == 3
        let late = number >= 40 ? number % 2 == 0 : number == 17
        func place(_ reason: String) -> String { "Tests/ShopTests/\(reason.split(separator: " ").last ?? "").swift" }
        let flaky = [
            ("the server is away: basket", away), ("the server is away: search", away), ("a late token", late),
        ]
        let marks = flaky.map { mark($0.0, file: place($0.0), runs: $0.1 ? 2 : 1, flakes: $0.1 ? 1 : 0) }
        let retries = flaky.filter(\.1).map { reason, _ in
            var test = flaked(reason, file: place(reason), in: number)
            test.attempts[0].failures[0].message =
                reason == "a late token" ? "no token" : "no answer for order \(number)"
            let isBusy = reason != "a late token" && number != 33
            test.attempts[0].machine = MachineLoad(late: 0.001, own: isBusy ? 1.9 : 0, slowdown: isBusy ? 1.4 : 1)
            return test
        }
        var report = run(number, marks + [mark("a calm one", file: "Tests/ShopTests/Calm.swift")], retries: retries)
        report.run?.origin = RunOrigin(
            commit: String(repeating: String(number + 16, radix: 16), count: 20),
            branch: "main"
        )
        return report
    }

    /// A test that flaked because of ``mark(_:file:line:runs:flakes:failures:)`` and recovered.
    static func flaked(
        _ reason: String,
        file: String? = "Tests/ShopTests/Login.swift",
        line: Int? = 12,
        in number: Int
    ) -> TestRecord {
        let start = start + Double(number) * 3600
        let failure = Failure(message: "XCTAssertTrue failed - ", file: file, line: 14, kind: .assertion)
        var test = retry("-[LoginTests testSignsIn]", .recovered, [])
        (test.mark.reason, test.file, test.line, test.attemptedRetries) = (reason, file, line, 1)
        test.attempts = [
            AttemptRecord(number: 1, outcome: .flaked, startedAt: start, duration: 2, failures: [failure]),
            AttemptRecord(number: 2, outcome: .passed, startedAt: start + 3, duration: 1.5),
        ]
        return test
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

/// SplitMix64: the same numbers for the same seed, on every system.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) {
        state = UInt64(seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 to 1.
    mutating func roll() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
