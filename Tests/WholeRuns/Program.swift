import Retryable
import TestSupport

/// Tests that go wrong on purpose, run by `run(_:)` as `swift test` would run them, in a process of their own.
///
/// A program stands below the test that runs it and is found by its name, so no list has to name it. The folder is compiled
/// twice: as a library, whose tests Swift Testing finds and whose classes no test discovery looks for, and as the program that
/// is run. `#if PROGRAM` keeps the `@Test` functions that go wrong out of the library.
protocol Program: SendableMetatype {
    static var entries: [XCTestCaseEntry] { get }
    /// A suite to run instead, without `XCTMain`.
    static var suite: XCTestSuite? { get }
}

extension Program {
    static var suite: XCTestSuite? { nil }
}

/// A class with one synchronous test.
protocol OneTest: Program, XCTestCase {
    func test() throws
}

extension OneTest {
    static var entries: [XCTestCaseEntry] { [(self, [("test", { try ($0 as? Self)?.test() })])] }
}

/// The least there is.
final class Passes: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("testPasses", testPasses)])] }

    func testPasses() {
        flaky(.fixable(reason: "never does")) { XCTAssertTrue(true) }
    }
}

extension Flakiness {
    static let race = fixable(reason: "a race")
}

/// A test in tasks of its own, which end before it does. (Swift 6.2 takes no `nonisolated(unsafe)` variable for that.)
struct Shared<Test>: Sendable {
    nonisolated(unsafe) let test: Test
}

extension Locked<Bool> {
    /// Sets the value and returns the one before it.
    func exchange(_ new: Bool) -> Bool {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}

/// Keeps a task waiting until another opens it.
struct Gate: Sendable {
    private let opening = AsyncStream.makeStream(of: Void.self)

    func open() { opening.continuation.finish() }

    func wait() async { for await _ in opening.stream {} }
}

/// Does what `asyncTest` does for a class on the main actor, which has to be shared with the task that it makes.
func mainActorTest<Test: XCTestCase>(
    _ method: @escaping @MainActor (Test) async throws -> Void
) -> (Test) -> () throws -> Void {
    { test in
        let shared = Shared(test: test)
        return asyncTest { (_: Test) in { try await method(shared.test) } }(test)
    }
}

/// An error to throw on purpose.
struct Boom: Error, CustomStringConvertible {
    var description: String { "Boom" }
}

struct Other: Error, CustomStringConvertible {
    var description: String { "Other" }
}

/// What the program does with its arguments: `WholeRunProgram NAME SELECTED-TESTS ARGUMENTS…`
enum ProgramRun {
    /// The arguments that a test gave to its program.
    static var arguments: [String] { Array(CommandLine.arguments.dropFirst(3)) }

    /// Holds the lock with which processes write the report, until the descriptor that it returns is unlocked.
    static func lockReport() -> CInt {
        let report = URL(fileURLWithPath: ProcessInfo.processInfo.environment["RETRYABLE_REPORT"] ?? "")
        let lock = report.deletingLastPathComponent().appendingPathComponent(".\(report.lastPathComponent).lock")
        let descriptor = open(lock.path, O_RDONLY)
        flock(descriptor, LOCK_EX)
        return descriptor
    }

    /// Runs the program of that name and ends the process with its exit code; returns if there is none.
    static func run(_ name: String) {
        guard let program = type(named: name) as? any Program.Type else { return }
        if let suite = program.suite {
            suite.run()
            exit(suite.testRun?.totalFailureCount == 0 ? 0 : 1)
        }
        let selected = CommandLine.arguments.dropFirst(2).prefix(1).filter { !$0.isEmpty }
        exit(XCTMain(program.entries, arguments: CommandLine.arguments.prefix(1) + selected, observers: nil) as CInt)
    }

    /// The class, enumeration or structure of that name in this module.
    static func type(named name: String) -> Any.Type? {
        let module = String(reflecting: Self.self).split(separator: ".")[0]
        return ["C", "O", "V"].lazy.compactMap { kind in
            _typeByName("\(module.utf8.count)\(module)\(name.utf8.count)\(name)\(kind)")
        }.first
    }
}
