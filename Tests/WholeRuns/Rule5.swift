import RetryReport
import Retryable
import RetryableTesting
import Testing

@Suite("What a thrown error becomes")
struct ErrorTests {
    @Test(arguments: [
        Row(
            "5: an error that leaves a section is a flake",
            ErrorLeaves.self,
            "Errors/leaves",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: so it is where the section suspends",
            ErrorLeavesAsync.self,
            "Errors/leavesAsync",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: so it is where the section is an expression",
            nil,
            "Errors/leavesExpression",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: an error that is recorded in a section is a flake",
            nil,
            "Errors/recorded",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: an error that is logged on its way is still the one that left the section",
            ErrorRethrown.self,
            "Errors/loggedAndRethrown",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: an expression in an expectation may throw and suspend",
            nil,
            "Errors/expectation",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: an error is known again after another has left a section and was caught",
            EarlierError.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row("5: an error that the test catches is nobody's failure", ErrorCaught.self, "Errors/caught"),
        Row(
            "5: one that records a failure when it is released fails the test that threw it",
            ErrorFailsAtItsEnd.self,
            errors: ["failed - at its end"]
        ),
        Row("5: so it is where another section is around", nil, "Errors/caughtBetweenSections"),
        Row(
            "5: an equal error thrown outside is real",
            EqualErrorOutside.self,
            "Errors/equalErrorOutside",
            errors: ["threw error \"Boom\""],
            issues: ["Caught error: Boom"]
        ),
        Row(
            "5: an error that left no section is real",
            ErrorOutside.self,
            "Errors/outside",
            errors: ["threw error \"Boom\""],
            issues: ["Caught error: Boom"]
        ),
        Row(
            "5: an error that leaves two sections is a flake of the innermost with retries left",
            ErrorLeavesTwo.self,
            "Errors/leavesTwo",
            flakes: ["inner (fixable)", "outer (not fixable)"],
            [.flaked, .flaked, .passed]
        ),
        Row(
            "5: the last attempt's error is left as it is",
            nil,
            "Errors/always",
            flakes: ["a race (fixable)"],
            issues: ["Caught error: Boom"],
            [.flaked, .failed]
        ),
        Row(
            "5: an error from setUp that left no section is real, and the test method is not run",
            ThrowingSetUp.self,
            errors: ["threw error \"Boom\""]
        ),
        Row(
            "5: an error that leaves a section in an async setUp is the section's",
            ErrorInAsyncSetUp.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: an error is known by its text though a subclass adds words to it",
            AddsWords.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: an error from setUp that reads like the last that left a section there is the section's",
            SecondCallInSetUp.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: so it is in an async setUp",
            SecondCallInAsyncSetUp.self,
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: an assertion above a section that threw the same is real",
            SameErrorInAssertion.self,
            errors: ["XCTAssertEqual threw error \"Boom\" - outside every section"]
        ),
        Row(
            "5: in an outer section, it is the outer section's",
            SameErrorInOuter.self,
            flakes: ["outer (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: and of no section inside of the assertion",
            InnerInAssertion.self,
            flakes: ["outer (not fixable)", "outer (not fixable)"],
            [.flaked, .flaked, .passed]
        ),
        Row(
            "5: so it is where the test keeps the section's error",
            SameErrorKept.self,
            errors: ["XCTAssertEqual threw error \"Boom\" - outside every section"]
        ),
        Row(
            "5: an assertion around a section fails outside of it",
            ErrorInAssertion.self,
            "Errors/inExpectation",
            errors: ["XCTAssertEqual threw error \"Boom\" - "],
            issues: ["Expectation failed: an error was thrown when none was expected: \"Boom\""]
        ),
        Row(
            "5: so does XCTAssertNoThrow",
            ErrorInNoThrow.self,
            errors: ["XCTAssertNoThrow failed: threw error \"Boom\" - "]
        ),
        Row(
            "5: an object that is thrown anew outside is real",
            ObjectThrownAnew.self,
            "Errors/objectThrownAnew",
            errors: ["threw error \"a box\""],
            issues: ["Caught error: a box"]
        ),
        Row(
            "5: so is an NSError",
            NSErrorThrownAnew.self,
            "Errors/nsErrorThrownAnew",
            errors: [#"threw error "Error Domain=shop Code=7 "(null)"""#],
            issues: [#"Caught error: Error Domain=shop Code=7 "(null)""#]
        ),
        Row(
            "5: so is a typed copy of the section's error",
            TypedCopy.self,
            "Errors/typedCopy",
            errors: ["threw error \"Boom\""],
            issues: ["Caught error: Boom"]
        ),
        Row(
            "5: an error that comes back through a continuation is the section's",
            ThroughContinuation.self,
            "Errors/throughContinuation",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: so is one that comes back through a stream",
            ThroughStream.self,
            "Errors/throughStream",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "5: of 100 sections that throw side by side, each has its error",
            SideBySide.self,
            "Errors/sideBySide",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "7: XCTUnwrap and #require in a section are one flake, not two",
            Unwrap.self,
            "Errors/require",
            flakes: ["a race (fixable)"],
            [.flaked, .passed]
        ),
        Row(
            "7: outside of a section they are one real failure",
            UnwrapOutside.self,
            "Errors/requireOutside",
            errors: ["XCTUnwrap failed: expected non-nil value of type \"Int\" - no value"],
            issues: ["Expectation failed: nil as Int? → nil: no value"]
        ),
    ]) func row(row: Row) async throws { try await row.check() }

    @Test("5: the very error is rethrown, and ends the test")
    func veryError() async throws {
        let run = try await run(ErrorLeaves.self)
        #expect(run.printed == ["the very error: true", "reached on attempt 2"])
        let failures = try #require(run.report.retries.first?.attempts.first?.failures)
        #expect(failures.map(\.message) == ["threw error \"a box\""])
        #expect(failures.map(\.kind) == [.error])
        let other = try await SwiftTestingRun.of("Errors/leaves")
        #expect(other.printed == ["the very error: true", "reached on attempt 2"])
    }

    @Test("5: a test that logs an error has it to log")
    func rethrown() async throws {
        #expect(try await run(ErrorRethrown.self).printed == ["logged: Boom"])
    }

    @Test("5: an error from tearDown that reads like the last that left a section there is the section's")
    func secondCallInTearDown() async throws {
        let run = try await run(SecondCallInTearDown.self)
        #expect(run.cases == ["SecondCallInTearDown.test passed", "SecondCallInTearDown.test passed"])
        #expect(run.report.retries.map(\.outcome) == [.recovered])
    }

    @Test("5: the error that stops a test is not known by its description")
    func wordsOfAStop() async throws {
        let run = try await run(WordsOfAStop.self, expecting: .failure)
        #expect(run.errors.count == 1)
        #expect(run.report.retries.map(\.outcome) == [.failed])
    }

    @Test("7: XCTUnwrap and #require are one failure in the report, too")
    func requireInReport() async throws {
        #expect(try await run(Unwrap.self).report.retries.first?.attempts.first?.failures.count == 1)
        let run = try await SwiftTestingRun.of("Errors/require")
        #expect(
            run.report.retries.first?.attempts.first?.failures.map(\.message)
                == ["Expectation failed: Test.retryCount == 0 ? nil : 1 → nil: no value"]
        )
    }
}

// MARK: - XCTest

final class ErrorLeaves: RetryableTestCase, OneTest {
    func test() throws {
        let box = ErrorBox()
        do {
            try flaky(.fixable(reason: "a race")) {
                if retryCount == 0 { throw box }
            }
        } catch {
            print("the very error: \(error as? ErrorBox === box)")
            throw error
        }
        print("reached on attempt \(retryCount + 1)")
    }
}

private final class ErrorBox: Error, CustomStringConvertible {
    let description = "a box"
}

final class ErrorLeavesAsync: RetryableTestCase, OneAsyncTest {
    func test() async throws {
        try await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
    }
}

/// Its error records a failure when it is released, which is when the attempt ends at the latest.
final class ErrorFailsAtItsEnd: RetryableTestCase, OneTest {
    private final class Late: Error {
        deinit { XCTFail("at its end") }
    }

    func test() {
        do { try flaky(.fixable(reason: "a race")) { throw Late() } } catch {}
    }
}

final class ErrorCaught: RetryableTestCase, OneTest {
    func test() {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
    }
}

final class EqualErrorOutside: RetryableTestCase, OneTest {
    func test() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
        throw Boom()
    }
}

final class ErrorRethrown: RetryableTestCase, OneTest {
    func test() throws {
        do {
            try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        } catch {
            print("logged: \(error)")
            throw error
        }
    }
}

final class ErrorLeavesTwo: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            try flaky(.fixable(reason: "inner")) {
                if retryCount < 2 { throw Boom() }
            }
        }
    }
}

final class ErrorOutside: RetryableTestCase, OneTest {
    func test() throws {
        flaky(.fixable(reason: "a race")) {}
        throw Boom()
    }
}

final class EarlierError: RetryableTestCase, OneTest {
    func test() throws {
        do {
            try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
        } catch {
            do { try flaky(.fixable(reason: "cleans up")) { throw Other() } } catch {}
            throw error
        }
    }
}

final class ThrowingSetUp: RetryableTestCase, OneTest {
    override func setUpWithError() throws { throw Boom() }

    func test() {
        flaky(.fixable(reason: "not reached")) { XCTFail("reached") }
    }
}

// MARK: Errors that are known by their text

final class ErrorInAsyncSetUp: RetryableTestCase, OneTest {
    override func setUp() async throws {
        try await flaky(.fixable(reason: "a race")) {
            await Task.yield()
            if retryCount == 0 { throw Boom() }
        }
    }

    func test() {}
}

final class SecondCallInSetUp: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        try? flaky(.fixable(reason: "a race")) { throw Boom() }
        if retryCount == 0 { throw Boom() }
    }

    func test() {}
}

final class SecondCallInAsyncSetUp: RetryableTestCase, OneTest {
    override func setUp() async throws {
        do {
            try await flaky(.fixable(reason: "a race")) {
                await Task.yield()
                throw Boom()
            }
        } catch {}
        if retryCount == 0 { throw Boom() }
    }

    func test() {}
}

final class SecondCallInTearDown: RetryableTestCase, OneTest {
    func test() {}

    override func tearDownWithError() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch { print("caught: \(error)") }
        if retryCount == 0 { throw Boom() }
    }
}

/// Adds words of its own to all that fails.
final class AddsWords: RetryableTestCase, OneTest {
    override func setUpWithError() throws {
        try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
    }

    func test() {}

    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        super.recordFailure(
            withDescription: "on my machine: \(description)",
            inFile: filePath,
            atLine: lineNumber,
            expected: expected
        )
    }
}

final class SameErrorInAssertion: RetryableTestCase, OneTest {
    func test() {
        prepare()
        XCTAssertEqual(try failOnce(), 3, "outside every section")
    }

    private func failOnce() throws -> Int {
        if retryCount == 0 { throw Boom() }
        return 3
    }

    private func prepare() { try? flaky(.fixable(reason: "a race")) { throw Boom() } }
}

final class SameErrorInOuter: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.fixable(reason: "outer")) {
            XCTAssertEqual(try callTwice(), 3, "the second call's")
        }
    }

    private func callTwice() throws -> Int {
        try? flaky(.fixable(reason: "inner")) { throw Boom() }
        if retryCount == 0 { throw Boom() }
        return 3
    }
}

final class InnerInAssertion: RetryableTestCase, OneTest {
    func test() throws {
        try flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
            XCTAssertEqual(
                try flaky(.fixable(reason: "inner")) { () throws -> Int in
                    if retryCount < 2 { throw Boom() }
                    return 3
                },
                3
            )
        }
    }
}

/// Keeps the error that left the section, which stands below the assertion.
final class SameErrorKept: RetryableTestCase, OneTest {
    private var kept: (any Error)?

    func test() {
        prepare()
        XCTAssertEqual(try failOnce(), 3, "outside every section")
    }

    private func failOnce() throws -> Int {
        if retryCount == 0 { throw Boom() }
        return 3
    }

    private func prepare() {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch { kept = error }
    }
}

final class ErrorInNoThrow: RetryableTestCase, OneTest {
    func test() {
        XCTAssertNoThrow(try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } })
    }
}

final class ErrorInAssertion: RetryableTestCase, OneTest {
    func test() {
        XCTAssertEqual(
            try flaky(.fixable(reason: "a race")) { () throws -> Int in
                if retryCount == 0 { throw Boom() }
                return 3
            },
            3
        )
    }
}

/// Throws an error of its own that says what `flaky` says when it stops a test.
final class WordsOfAStop: RetryableTestCase, OneTest {
    private struct Imitation: Error, CustomStringConvertible {
        var description: String { "the test has flaked and continueAfterFailure is false" }
    }

    func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
    }

    override func tearDownWithError() throws {
        if retryCount == 0 { throw Imitation() }
    }
}

// MARK: Errors that are known by their box

final class ObjectThrownAnew: RetryableTestCase, OneTest {
    private static let object = ErrorBox()

    func test() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Self.object } } catch {}
        throw Self.object
    }
}

final class NSErrorThrownAnew: RetryableTestCase, OneTest {
    private static let object = NSError(domain: "shop", code: 7)

    func test() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Self.object } } catch {}
        throw Self.object
    }
}

final class TypedCopy: RetryableTestCase, OneTest {
    func test() throws {
        do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch let error as Boom { throw error }
    }
}

final class ThroughContinuation: RetryableTestCase, OneAsyncTest {
    func test() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            continuation.resume(
                with: Result { try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } } }
            )
        }
    }
}

final class ThroughStream: RetryableTestCase, OneAsyncTest {
    func test() async throws {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
        do {
            try flaky(.fixable(reason: "a race")) { if retryCount == 0 { throw Boom() } }
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
        for try await _ in stream {}
    }
}

/// Throws the error of the section that threw first, when all have.
final class SideBySide: RetryableTestCase, OneAsyncTest {
    func test() async throws {
        let shared = Shared(test: self)
        let results = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            for _ in 1...100 { group.addTask { await shared.test.fail() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try results.first?.get()
    }

    private func fail() async -> Result<Void, any Error> {
        do {
            return .success(
                try await flaky(.fixable(reason: "a race")) {
                    await Task.yield()
                    if retryCount == 0 { throw Boom() }
                }
            )
        } catch {
            return .failure(error)
        }
    }
}

// MARK: XCTUnwrap

final class Unwrap: RetryableTestCase, OneTest {
    func test() throws {
        let value = try flaky(.fixable(reason: "a race"), try XCTUnwrap(retryCount == 0 ? nil : 1, "no value"))
        XCTAssertEqual(value, 1)
    }
}

final class UnwrapOutside: RetryableTestCase, OneTest {
    func test() throws {
        flaky(.fixable(reason: "a race")) {}
        _ = try XCTUnwrap(nil as Int?, "no value")
    }
}

// MARK: - Swift Testing

#if PROGRAM
    @Suite(.retryable) struct Errors {
        @Test func leaves() throws {
            let box = ErrorBox()
            do {
                try flaky(.fixable(reason: "a race")) {
                    if Test.retryCount == 0 { throw box }
                }
            } catch {
                print("the very error: \(error as? ErrorBox === box)")
                throw error
            }
            print("reached on attempt \(Test.retryCount + 1)")
        }

        @Test func leavesAsync() async throws {
            try await flaky(.fixable(reason: "a race")) {
                await Task.yield()
                if Test.retryCount == 0 { throw Boom() }
            }
        }

        @Test func leavesExpression() throws {
            try flaky(.fixable(reason: "a race"), try mayThrow(Test.retryCount == 0))
        }

        @Test func caught() {
            do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
        }

        @Test func caughtBetweenSections() {
            flaky(.notFixable(reason: "outer")) {
                do { try flaky(.fixable(reason: "inner")) { throw Boom() } } catch {}
            }
        }

        @Test func recorded() {
            flaky(.fixable(reason: "a race")) {
                if Test.retryCount == 0 { Issue.record(Boom()) }
            }
        }

        @Test func equalErrorOutside() throws {
            do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch {}
            throw Boom()
        }

        @Test func loggedAndRethrown() throws {
            do {
                try flaky(.fixable(reason: "a race")) { if Test.retryCount == 0 { throw Boom() } }
            } catch {
                print("logged: \(error)")
                throw error
            }
        }

        @Test func inExpectation() {
            #expect(throws: Never.self) { try flaky(.fixable(reason: "a race")) { throw Boom() } }
        }

        private static let object = ErrorBox()

        @Test func objectThrownAnew() throws {
            do { try flaky(.fixable(reason: "a race")) { throw Self.object } } catch {}
            throw Self.object
        }

        private static let nsError = NSError(domain: "shop", code: 7)

        @Test func nsErrorThrownAnew() throws {
            do { try flaky(.fixable(reason: "a race")) { throw Self.nsError } } catch {}
            throw Self.nsError
        }

        @Test func typedCopy() throws {
            do { try flaky(.fixable(reason: "a race")) { throw Boom() } } catch let error as Boom { throw error }
        }

        @Test func throughContinuation() async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                continuation.resume(
                    with: Result { try flaky(.fixable(reason: "a race")) { if Test.retryCount == 0 { throw Boom() } } }
                )
            }
        }

        @Test func throughStream() async throws {
            let (stream, continuation) = AsyncThrowingStream.makeStream(of: Void.self)
            do {
                try flaky(.fixable(reason: "a race")) { if Test.retryCount == 0 { throw Boom() } }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
            for try await _ in stream {}
        }

        @Test func sideBySide() async throws {
            let results = await withTaskGroup(of: Result<Void, any Error>.self) { group in
                for _ in 1...100 {
                    group.addTask {
                        do {
                            return .success(
                                try await flaky(.fixable(reason: "a race")) {
                                    await Task.yield()
                                    if Test.retryCount == 0 { throw Boom() }
                                }
                            )
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try results.first?.get()
        }

        @Test func leavesTwo() throws {
            try flaky(.notFixable(reason: "outer", maxRetryCount: 2)) {
                try flaky(.fixable(reason: "inner")) { if Test.retryCount < 2 { throw Boom() } }
            }
        }

        @Test func outside() throws {
            flaky(.fixable(reason: "a race")) {}
            throw Boom()
        }

        @Test func always() throws {
            try flaky(.fixable(reason: "a race")) { throw Boom() }
        }

        @Test func require() throws {
            let value = try flaky(.fixable(reason: "a race"), try #require(Test.retryCount == 0 ? nil : 1, "no value"))
            #expect(value == 1)
        }

        @Test func expectation() async throws {
            #if compiler(>=6.3)  // whose macro finds the `try` before it
                try await flaky(.fixable(reason: "a race")) { try await #expect(slowly(Test.retryCount > 0)) }
                try flaky(.fixable(reason: "passes")) { try #expect(quickly(true)) }
            #else
                try await flaky(.fixable(reason: "a race")) {
                    let isRetry = try await slowly(Test.retryCount > 0)
                    #expect(isRetry)
                }
            #endif
        }

        private func slowly(_ value: Bool) async throws -> Bool {
            await Task.yield()
            return value
        }

        private func quickly(_ value: Bool) throws -> Bool { value }

        @Test func requireOutside() throws {
            flaky(.fixable(reason: "a race")) {}
            _ = try #require(nil as Int?, "no value")
        }

        private func mayThrow(_ does: Bool) throws {
            if does { throw Boom() }
        }
    }
#endif
