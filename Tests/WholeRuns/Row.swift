import RetryReport
import Testing

/// A rule, and all that is to be seen of it: a program of each framework goes wrong in the same way.
struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The column of XCTest; `nil` where only Swift Testing has such a case.
    var xctest: (any Program.Type)?
    /// The column of Swift Testing, `Suite/test`; `nil` where only XCTest has such a case.
    var testing: String?
    /// The reasons of the flakes, in order; XCTest shows one for each attempt that is retried.
    var flakes: [String]
    /// XCTest's failures, in order.
    var errors: [String]
    /// Swift Testing's failures, in order.
    var issues: [String]
    /// The endings of the attempts of the one test in the report; empty if it is not to be there.
    var attempts: [AttemptRecord.Outcome]

    init(
        _ description: String,
        _ xctest: (any Program.Type)? = nil,
        _ testing: String? = nil,
        flakes: [String] = [],
        errors: [String] = [],
        issues: [String] = [],
        _ attempts: [AttemptRecord.Outcome] = []
    ) {
        testDescription = description
        self.xctest = xctest
        self.testing = testing
        self.flakes = flakes
        self.errors = errors
        self.issues = issues
        self.attempts = attempts
    }

    func check() async throws {
        if let xctest { try await check(xctest) }
        if let testing { try await check(testing) }
    }

    private func check(_ program: any Program.Type) async throws {
        let run = try await run(program, expecting: errors.isEmpty ? .success : .failure)
        #expect(run.errors.map { $0.components(separatedBy: " : ").dropFirst().joined(separator: " : ") } == errors)
        let retried = attempts.count { $0 == .flaked }
        if retried > 0 { #expect(run.reasons == Array(flakes.prefix(retried))) }
        let endings = run.cases.compactMap { $0.split(separator: " ").last }
        if attempts.isEmpty {
            #expect(endings == [errors.isEmpty ? "passed" : "failed"])
        } else {
            #expect(endings == attempts.map { $0 == .flaked ? "skipped" : $0 == .passed ? "passed" : "failed" })
        }
        check(run.report)
    }

    private func check(_ tests: String) async throws {
        let run = try await SwiftTestingRun.of(tests)
        #expect(run.ending == (issues.isEmpty ? .success : .failure))
        #expect(run.reasons == flakes.map { $0.components(separatedBy: " (")[0] })
        #expect(run.failures == issues)
        #expect(run.report.retries.allSatisfy { $0.name.hasPrefix(tests) })
        check(run.report)
    }

    private func check(_ report: Report) {
        #expect(report.retries.count == (attempts.isEmpty ? 0 : 1))
        guard let test = report.retries.first else { return }
        #expect(test.outcome == (attempts.last == .passed ? .recovered : .failed))
        #expect(test.module == "WholeRunProgram")
        #expect(test.attempts.map(\.outcome) == attempts)
        #expect(test.attempts.map(\.number) == attempts.indices.map { $0 + 1 })
        #expect(test.attemptedRetries == attempts.count - 1)
    }
}
