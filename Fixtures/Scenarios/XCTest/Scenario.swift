import Retryable

/// A run of tests that go wrong on purpose, by the name under which a test asks for it.
///
/// This is a plain target, so that nobody's test discovery finds these classes.
public struct Scenario {
    /// What a test asks for it by.
    public let name: String
    /// The classes and their tests, as XCTest takes them.
    let entries: () -> [XCTestCaseEntry]

    /// A suite to run instead, by hand and without XCTMain.
    var suite: (() -> XCTestSuite)?

    init(_ name: String, _ entries: XCTestCaseEntry...) {
        self.init(name) { entries }
    }

    init(_ name: String, entries: @escaping () -> [XCTestCaseEntry]) {
        self.name = name
        self.entries = entries
    }

    init(_ name: String, suite: @escaping () -> XCTestSuite) {
        self.name = name
        entries = { [] }
        self.suite = suite
    }

    /// All there are.
    public static var all: [Scenario] {
        sections + places + errors + skips + stops + marks + rounds + modes + rates + lostFailures + steps + stepErrors
            + deaths + exits + overrides
    }

    /// Runs the tests of one, as `swift test` would run them, and ends the process with their exit code.
    public static func run(_ name: String, selected: String? = nil) -> Never {
        guard let scenario = all.first(where: { $0.name == name }) else {
            print("no scenario is called \(name)")
            exit(99)
        }
        if let suite = scenario.suite?() {
            suite.run()
            exit(suite.testRun?.totalFailureCount == 0 ? 0 : 1)
        }
        let arguments = [CommandLine.arguments.first ?? ""] + (selected.map { [$0] } ?? [])
        exit(XCTMain(scenario.entries(), arguments: arguments, observers: nil) as CInt)
    }
}

/// An error to throw on purpose.
struct Boom: Error, CustomStringConvertible {
    var description: String { "Boom" }
}
