import Foundation

@testable import RetryReport

extension Date {
    /// A time that a report holds exactly.
    static let morning = Date(timeIntervalSince1970: 1_772_357_400.25)
}

extension Failure {
    static func sample(_ message: String = "XCTAssertTrue failed - too early") -> Failure {
        Failure(message: message, file: "Tests/ShopTests/Checkout.swift", line: 12, kind: .assertion)
    }
}

extension TestRecord {
    /// A test that waits for its first retry.
    static func queued(_ name: String, module: String? = "ShopTests", message: String = "too early") -> TestRecord {
        let reason = "the animation takes longer now and then"
        var test = TestRecord(name: name, module: module, mark: .fixable(reason: reason))
        (test.file, test.line) = ("Tests/ShopTests/Checkout.swift", 11)
        test.attempts = [AttemptRecord(number: 1, outcome: .flaked, startedAt: .morning, duration: 0.25)]
        test.attempts[0].failures = [.sample(message)]
        return test
    }

    /// The same test, once its retry has passed.
    var recovered: TestRecord {
        var retry = self
        retry.outcome = .recovered
        retry.attemptedRetries = 1
        retry.attempts.append(AttemptRecord(number: 2, outcome: .passed, startedAt: .morning, duration: 0.125))
        return retry
    }
}

extension Report.Run {
    static func sample(_ id: String = "one") -> Report.Run {
        Report.Run(id: id, startedAt: .morning)
    }
}

extension Report {
    /// Has every field there is.
    static var full: Report {
        var flaked = TestRecord.queued("-[CheckoutTests testPays]").recovered
        flaked.attempts[0].failures.append(
            Failure(message: "Boom", file: nil, line: nil, kind: .error, isAftermath: true)
        )
        var failed = TestRecord.queued("-[CheckoutTests testPays]", module: "OtherTests")
        failed.outcome = .failed
        failed.run = "another"
        var bare = TestRecord(name: "Suite/test()", module: nil, mark: .notFixable(reason: "", maxRetryCount: 0))
        bare.outcome = nil
        var step = Step.sample("tap “Pay”", test: "-[CheckoutTests testPays]", file: "Tests/ShopTests/Checkout.swift")
        (step.module, step.line, step.retries, step.duration) = ("ShopTests", 14, 2, 1.5)
        var run = Run(id: "one", startedAt: .morning, finishedAt: .morning + 1.5, unfinished: 2, mode: "strict")
        run.settings = ["RETRYABLE_MAX_FLAKES": "5", "RETRYABLE_FAIL_ON_FLAKY": "1"]
        return Report(run: run, tests: [failed, flaked, bare], steps: [step])
    }
}

extension Step {
    static func sample(_ action: String, test: String, file: String? = nil) -> Step {
        Step(
            test: test,
            module: nil,
            action: action,
            file: file,
            line: nil,
            retries: 1,
            succeeded: true,
            duration: 0.25
        )
    }
}
