import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a thrown error becomes")
struct ErrorTests: RowTable {
    static var rows: [Row] {
        Row(
            "5: an error that leaves a section is a flake; the very error is rethrown, and ends the test",
            [.flaked, .passed],
            printed: ["the very error: true", "reached on attempt 2"]
        )
        .both { test in
            let box = ErrorBox()
            do {
                try test.flaky(.race) { if test.retryCount == 0 { throw box } }
            } catch {
                print("the very error: \(error as? ErrorBox === box)")
                throw error
            }
            print("reached on attempt \(test.retryCount + 1)")
        } expecting: { _, report in
            let failures = try #require(report.tests.first?.attempts.first?.failures)
            #expect(failures.map { $0.message.hasSuffix(" \"a box\"") || $0.message.hasSuffix(": a box") } == [true])
            #expect(failures.map(\.kind) == [.error])
        }
        Row("5: an error that leaves a section that suspends is a flake", [.flaked, .passed])
            .both { test in
                try await test.flaky(.race) {
                    await Task.yield()
                    try test.throwOnce()
                }
            }
        Row("5: an error that leaves a section written as an expression is a flake", [.flaked, .passed])
            .testing { try flaky(.race, try throwIf(Test.retryCount == 0)) }
        Row("5: an error that is recorded in a section is a flake", [.flaked, .passed])
            .testing { flaky(.race) { if Test.retryCount == 0 { Issue.record(Boom()) } } }
        Row(
            "5: an error that the test logs and rethrows is still the section's",
            [.flaked, .passed],
            printed: ["logged: Boom"]
        )
        .both { test in
            do {
                try test.flaky(.race) { try test.throwOnce() }
            } catch {
                print("logged: \(error)")
                throw error
            }
        }
        Row("5: an expectation in a section may throw and suspend", [.flaked, .passed])
            .testing {
                #if compiler(>=6.3)  // whose macro finds the `try` before it
                    try await flaky(.race) { try await #expect(slowly(Test.retryCount > 0)) }
                    try flaky(.fixable(reason: "passes")) { try #expect(quickly(true)) }
                #else
                    try await flaky(.race) {
                        let isRetry = try await slowly(Test.retryCount > 0)
                        #expect(isRetry)
                    }
                #endif
            }
        Row(
            "5: an error that left a section is still known after another one left a section and was caught",
            [.flaked, .passed]
        )
        .xctest { test in
            do {
                try test.flaky(.race) { if test.retryCount == 0 { throw Boom() } }
            } catch {
                try? test.flaky(.fixable(reason: "cleans up")) { throw Other() }
                throw error
            }
        }
        Row("5: an error that leaves a section and is caught by the test is no failure")
            .both { test in try? test.flaky(.race) { throw Boom() } }
        Row("5: an error that leaves a section and is caught in an outer one is no failure")
            .testing {
                flaky(.notFixable(reason: "outer")) { try? flaky(.fixable(reason: "inner")) { throw Boom() } }
            }
        Row(
            "5: a caught error that records a failure when it is released fails its test",
            failures: [.recorded("at its end")]
        )
        .xctest { test in try? test.flaky(.race) { throw FailsAtItsEnd() } }
        Row(
            "5: an error that left a section is released before a teardown block checks for leaks",
            printed: ["leaks: false"]
        )
        .xctest { test in
            let box = ErrorBox()
            test.addTeardownBlock { [weak box] in print("leaks: \(box != nil)") }
            do { try test.flaky(.race) { throw box } } catch {}
        }
        Row(
            "5: an error that ends the test is released before a teardown block checks for leaks",
            [.flaked, .passed],
            printed: ["leaks: false", "leaks: false"]
        )
        .xctest { test in
            let box = ErrorBox()
            test.addTeardownBlock { [weak box] in print("leaks: \(box != nil)") }
            try test.flaky(.race) { if test.retryCount == 0 { throw box } }
        }
        Row(
            "5: an error thrown outside is real, even if it equals one that left a section",
            failures: [.thrown("Boom")]
        )
        .both { test in
            // The place of each in memory may become that of the next one.
            for _ in 1...100 { try? test.flaky(.race) { throw Boom() } }
            throw Boom()
        }
        Row("5: an error that left no section is real", failures: [.thrown("Boom")])
            .both { test in
                test.flaky(.race) {}
                throw Boom()
            }
        Row(
            "5: an error that leaves two sections is a flake of the inner one while that has retries left",
            [.flaked("inner"), .flaked("outer"), .passed]
        )
        .both { test in
            try test.flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
                try test.flaky(.fixable(reason: "inner")) { if test.retryCount < 2 { throw Boom() } }
            }
        }
        Row(
            "5: an error of the last attempt is reported as XCTest and Swift Testing report it",
            [.flaked, .failed],
            failures: [.thrown("Boom")]
        )
        .both { test in try test.flaky(.race) { throw Boom() } }

        // Known by their text: errors that end `setUp` or `tearDown`.
        Row("5: an error from setUp that left no section is real, and the test is not run", failures: [.thrown("Boom")])
            .xctest(setUp: { _ in throw Boom() }) { _ in XCTFail("reached") }
        Row("5: an error that leaves a section in an async setUp is the section's", [.flaked, .passed])
            .xctest(ErrorInAsyncSetUp.self)
        Row(
            "5: an error from setUp is the section's, even if a subclass adds words to its message",
            [.flaked, .passed]
        )
        .xctest(AddsWords.self)
        Row("5: an error from setUp that reads like the last that left a section is the section's", [.flaked, .passed])
            .xctest(setUp: { test in
                try? test.flaky(.race) { throw Boom() }
                if test.retryCount == 0 { throw Boom() }
            }) { _ in }
        Row(
            "5: an error from an async setUp that reads like the last that left a section is the section's",
            [.flaked, .passed]
        )
        .xctest(SecondCallInAsyncSetUp.self)
        Row(
            "5: an error from tearDown that reads like the last that left a section is the section's",
            [.flakedLate(), .passed]
        )
        .xctest { _ in
        } tearDown: { test in
            try? test.flaky(.race) { throw Boom() }
            if test.retryCount == 0 { throw Boom() }
        }
        Row(
            "5: an error from tearDown that only reads like the one that stops a test is real",
            [.failed],
            failures: [.thrown("the test has flaked and continueAfterFailure is false")]
        )
        .xctest { test in
            test.flaky(.race) { XCTAssertGreaterThan(test.retryCount, 0) }
        } tearDown: { test in
            if test.retryCount == 0 { throw LooksLikeAStop() }
        }

        // In assertions.
        Row(
            "5: an error that an assertion outside catches is real, even if a section of the test threw the same",
            failures: [outsideEverySection]
        )
        .xctest { test in
            try? test.flaky(.race) { throw Boom() }
            XCTAssertEqual(try failOnce(test), 3, "outside every section")
        }
        Row(
            "5: an error that an assertion in a section catches is a flake of that section",
            [.flaked("outer"), .passed]
        )
        .xctest { test in
            let callTwice = {
                try? test.flaky(.fixable(reason: "inner")) { throw Boom() }
                return try failOnce(test)
            }
            try test.flaky(.fixable(reason: "outer")) { XCTAssertEqual(try callTwice(), 3, "the second call's") }
        }
        Row(
            "5: an error that leaves a section inside of an assertion is a flake of the section around the assertion",
            [.flaked("outer"), .flaked("outer"), .passed]
        )
        .xctest { test in
            try test.flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
                XCTAssertEqual(
                    try test.flaky(.fixable(reason: "inner")) { () throws -> Int in
                        if test.retryCount < 2 { throw Boom() }
                        return 3
                    },
                    3
                )
            }
        }
        Row(
            "5: an error that an assertion outside catches is real, even if the test still holds the same error of a section",
            failures: [outsideEverySection]
        )
        .xctest { test in
            var kept: (any Error)?
            do { try test.flaky(.race) { throw Boom() } } catch { kept = error }
            XCTAssertEqual(try failOnce(test), 3, "outside every section")
            withExtendedLifetime(kept) {}
        }
        Row(
            "5: an assertion around a section fails outside of it",
            failures: [
                .init(
                    "XCTAssertEqual threw error \"Boom\" - ",
                    testing: "Expectation failed: an error was thrown when none was expected: \"Boom\""
                )
            ]
        )
        .xctest { test in
            XCTAssertEqual(try test.flaky(.race) { try failOnce(test) }, 3)
        } expecting: {
            let advice = "an assertion caught an error like a section's: call first, then assert, at "
            #expect($0.errorOutput.contains { $0.contains(advice) })
        }
        .testing { #expect(throws: Never.self) { try flaky(.race) { throw Boom() } } }
        Row(
            "5: XCTAssertNoThrow around a section fails outside of it",
            failures: ["XCTAssertNoThrow failed: threw error \"Boom\" - "]
        )
        .xctest { test in XCTAssertNoThrow(try test.flaky(.race) { try throwIf(test.retryCount == 0) }) }

        // Known by their box.
        Row(
            "5: an error object that left a section is real when it is thrown again outside",
            failures: [.thrown("a box")]
        )
        .both { test in
            let object = ErrorBox()
            try? test.flaky(.race) { throw object }
            throw object
        }
        Row(
            "5: an NSError that left a section is real when it is thrown again outside",
            failures: [.thrown(#"Error Domain=shop Code=7 "(null)""#)]
        )
        .both { test in
            let object = NSError(domain: "shop", code: 7)
            try? test.flaky(.race) { throw object }
            throw object
        }
        Row(
            "5: an error that left a section, and was caught by its type, is real when it is thrown again",
            failures: [.thrown("Boom")]
        )
        .both { test in
            do { try test.flaky(.race) { throw Boom() } } catch let error as Boom { throw error }
        }
        Row("5: an error that comes back through a continuation is the section's", [.flaked, .passed])
            .both { test in
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    continuation.resume(with: Result { try test.flaky(.race) { try test.throwOnce() } })
                }
            }
        Row("5: an error that comes back through a stream is the section's", [.flaked, .passed])
            .both { test in
                let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
                do {
                    try test.flaky(.race) { try test.throwOnce() }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
                for try await _ in stream {}
            }
        Row(
            "5: errors of 100 sections that run concurrently are each the error of their own section",
            [.flaked, .passed]
        )
        .both { test in
            try await firstOfHundred {
                try await test.flaky(.race) {
                    await Task.yield()
                    try test.throwOnce()
                }
            }
        }

        Row("7: XCTUnwrap and #require in a section are one flake, not two", [.flaked, .passed])
            .xctest { test in
                let value = try test.flaky(.race, try XCTUnwrap(test.retryCount == 0 ? nil : 1, "no value"))
                XCTAssertEqual(value, 1)
            } expecting: { run in
                #expect(run.report.tests.first?.attempts.first?.failures.count == 1)
            }
            .testing {
                let value = try flaky(.race, try #require(Test.retryCount == 0 ? nil : 1, "no value"))
                #expect(value == 1)
            } expecting: { run in
                let failures = run.report.tests.first?.attempts.first?.failures
                #expect(
                    failures?.map(\.message) == ["Expectation failed: Test.retryCount == 0 ? nil : 1 → nil: no value"]
                )
            }
        Row(
            "7: XCTUnwrap and #require outside of sections are one real failure, not two",
            failures: [
                .init(
                    "XCTUnwrap failed: expected non-nil value of type \"Int\" - no value",
                    testing: "Expectation failed: nil as Int?: no value"
                )
            ]
        )
        .xctest { test in
            test.flaky(.race) {}
            _ = try XCTUnwrap(nil as Int?, "no value")
        }
        .testing {
            flaky(.race) {}
            _ = try #require(nil as Int?, "no value")
        }
    }

    private static let outsideEverySection: Row.Failure = #"XCTAssertEqual threw error "Boom" - outside every section"#

    @Test(arguments: rows) func row(row: Row) async throws { try await row.check(in: Self.self) }
}

private final class ErrorBox: Error, CustomStringConvertible {
    let description = "a box"
}

/// Is released when the attempt ends at the latest.
private final class FailsAtItsEnd: Error {
    deinit { XCTFail("at its end") }
}

/// Says what `flaky` says when it stops a test.
private struct LooksLikeAStop: Error, CustomStringConvertible {
    var description: String { "the test has flaked and continueAfterFailure is false" }
}

private func throwIf(_ condition: Bool) throws {
    if condition { throw Boom() }
}

private func failOnce(_ test: RetryableTestCase) throws -> Int {
    if test.retryCount == 0 { throw Boom() }
    return 3
}

private func slowly(_ value: Bool) async throws -> Bool {
    await Task.yield()
    return value
}

private func quickly(_ value: Bool) throws -> Bool { value }

/// Throws the error of the body that threw first, when all have.
private func firstOfHundred(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let results = await withTaskGroup(of: Result<Void, any Error>.self) { group in
        for _ in 1...100 {
            group.addTask {
                do { return .success(try await body()) } catch { return .failure(error) }
            }
        }
        return await group.reduce(into: []) { $0.append($1) }
    }
    try results.first?.get()
}

// MARK: - Classes of their own

final class ErrorInAsyncSetUp: RetryableTestCase, OneTest {
    override func setUp() async throws {
        try await flaky(.race) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
    }

    func test() {}
}

final class SecondCallInAsyncSetUp: RetryableTestCase, OneTest {
    override func setUp() async throws {
        do {
            try await flaky(.race) {
                await Task.yield()
                throw Boom()
            }
        } catch {}
        if retryCount == 0 { throw Boom() }
    }

    func test() {}
}

/// Adds words of its own to all that fails.
final class AddsWords: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        try flaky(.race) { if retryCount == 0 { throw Boom() } }
    }

    func test() {}

    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        let words = "on my machine: \(description)"
        super.recordFailure(withDescription: words, inFile: filePath, atLine: lineNumber, expected: expected)
    }
}
