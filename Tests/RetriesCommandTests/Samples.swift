import Foundation
import Groundwork

@testable import RetriesCommand
@testable import RetryReport

extension Report {
    /// This report as it is shown a minute after its run.
    var overview: Overview { Overview(self, now: Sample.now) }
}

/// Reports to show.
enum Sample {
    /// A test that takes one by name leaves no hostile text in its own log.
    static let named = ["empty": empty, "mixed": mixed, "hostile": hostile, "absurd": absurd]

    static let empty = Report(run: run("run-1"))

    /// A run of which two processes died, and nothing else is known.
    static let died: Report = {
        var report = empty
        report.run?.finishedAt = nil
        report.run?.unfinished = 2
        return report
    }()

    /// Every outcome, aftermath, a record of version 0.6.0, steps.
    static let mixed = Report(
        run: run("run-1"),
        tests: [
            retry("-[CartTests testAdds]", .recovered, [.flaked, .passed]),
            retry("-[CheckoutTests testPays]", .failed, [.flaked, .flaked, .failed], fixable: false, allowed: 2),
            ofOldVersion("-[OldTests testOld]"),
            retry("-[VideoTests testResumes]", .pending, [.flaked], fixable: false),
            onBusyMachine(retry("Search/finds()", .recovered, [.flaked, .passed])),
        ],
        steps: [step("sign in", succeeded: true), step("open the cart", succeeded: false)]
    )

    private static func ofOldVersion(_ name: String) -> TestRecord {
        var test = TestRecord(name: name, module: nil, mark: .fixable(reason: "of version 0.6.0"))
        (test.attemptedRetries, test.outcome) = (1, nil)
        return test
    }

    private static func onBusyMachine(_ test: TestRecord) -> TestRecord {
        var test = test
        test.attempts[0].machine = MachineLoad(late: 0.31, own: 1.9, slowdown: 1)
        return test
    }

    /// Scalars that no literal can hold.
    private static let noncharacters = [0xFFFE, 0xFDD0].compactMap(Unicode.Scalar.init).map { String($0) }.joined()

    /// A text that could be taken for a command, a tag or a line of the command's own.
    static let hostileText =
        "a\"b<c>&'|`*_\\\n::error::forged\r\n##[error]forged ]]> <script>alert(1)</script>\u{1B}[31m\u{0}\u{7}"
        + "\u{202E}\(noncharacters)\u{85} % , : @ada #1 $x$ </script><!-- {{}} \u{2028}| é😀 <!channel> &amp; \\| \u{9B}31m"

    static let hostile = filled(with: hostileText)
    /// As large as ``hostile``, with text that means no harm.
    static let harmless = filled(with: "plain")

    static func filled(with text: String) -> Report {
        var report = mixed
        for index in report.tests.indices {
            report.tests[index].name += text
            for key in [\TestRecord.module, \.file, \.run] { report.tests[index][keyPath: key] = text }
            report.tests[index].mark.reason = text
            for attempt in report.tests[index].attempts.indices {
                for failure in report.tests[index].attempts[attempt].failures.indices {
                    report.tests[index].attempts[attempt].failures[failure].message = text
                    report.tests[index].attempts[attempt].failures[failure].file = text
                }
            }
        }
        for index in report.steps.indices {
            for key in [\Step.test, \.action] { report.steps[index][keyPath: key] = text }
            for key in [\Step.module, \.file] { report.steps[index][keyPath: key] = text }
        }
        report.run?.mode = text
        let address = "javascript:\(text)"
        report.run?.origin = RunOrigin(commit: text, branch: text, job: address, sources: address)
        return report
    }

    /// Numbers that no run has, and that a file may claim all the same.
    static let absurd: Report = {
        var report = mixed
        for index in report.tests.indices {
            report.tests[index].attemptedRetries = .max
            report.tests[index].mark.maxRetryCount = .max
            report.tests[index].line = .min
            for attempt in report.tests[index].attempts.indices {
                report.tests[index].attempts[attempt].number = .min
                report.tests[index].attempts[attempt].duration = attempt == 0 ? 1e308 : -1e308
            }
        }
        report.steps[0].retries = .max
        report.steps[1].retries = .min
        report.steps[0].duration = 1e308
        // As they are read. The expected outputs are not those of an empty report.
        return (try? Report(json: report.json())) ?? empty
    }()

    static func many(_ count: Int) -> Report {
        Report(
            run: run("run-1"),
            tests: (0..<count).map { index in
                retry("-[ManyTests test\(10_000 + index)]", .recovered, [.flaked, .passed])
            }
        )
    }

    /// The time at which samples are read: a minute after their runs.
    static let now = start + 64.25
    static let start = Date(timeIntervalSince1970: 1_772_357_400)

    static func run(_ id: String) -> Report.Run {
        Report.Run(id: id, startedAt: start, finishedAt: start + 4.25)
    }

    static func retry(
        _ name: String,
        _ outcome: TestRecord.Outcome,
        _ attempts: [AttemptRecord.Outcome],
        fixable: Bool = true,
        allowed: Int = 1
    ) -> TestRecord {
        let mark = Flakiness(
            reason: fixable ? "the token arrives late" : "the sandbox store drops requests",
            maxRetryCount: allowed,
            isFixable: fixable,
            matching: nil
        )
        var test = TestRecord(name: name, module: "ShopTests", mark: mark)
        (test.attemptedRetries, test.outcome) = (attempts.count - 1, outcome)
        (test.file, test.line) = ("Tests/ShopTests/Shop.swift", 7)
        test.attempts = attempts.enumerated().map { index, outcome in attempt(index + 1, outcome) }
        return test
    }

    static func attempt(_ number: Int, _ outcome: AttemptRecord.Outcome) -> AttemptRecord {
        var failures: [Failure] = []
        if outcome != .passed {
            let file = "Tests/ShopTests/Shop.swift"
            failures = [
                number == 2
                    ? Failure(message: "threw error \"timeout\"", file: nil, line: nil, kind: .error)
                    : Failure(message: "XCTAssertNotNil failed - ", file: file, line: 10, kind: .assertion),
                Failure(message: "XCTAssertTrue failed - ", file: file, line: 12, kind: .assertion, isAftermath: true),
            ]
        }
        let (begin, duration) = (start + Double(number), 0.004 * Double(number))
        return AttemptRecord(number: number, outcome: outcome, startedAt: begin, duration: duration, failures: failures)
    }

    static func step(_ action: String, succeeded: Bool) -> Step {
        Step(
            test: "-[CartTests testAdds]",
            module: "ShopTests",
            action: action,
            file: "Tests/ShopTests/Cart.swift",
            line: 5,
            retries: 2,
            succeeded: succeeded,
            duration: 1.5
        )
    }
}

extension StringProtocol {
    /// `true` if there are control characters other than ends of lines.
    var hasControlCharacters: Bool {
        let text = String(self)
        return text.escapingControlCharacters(except: ["\n"]) != text
    }
}
