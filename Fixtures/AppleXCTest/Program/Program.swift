import Retryable

/// Runs classes of tests, which its arguments name, and exits as `xctest` would.
@main
enum Program {
    static func main() {
        let names = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
        let chosen = names.compactMap { _typeByName("7Program\($0.utf8.count)\($0)C") as? XCTestCase.Type }
        guard !names.isEmpty, chosen.count == names.count else {
            print("not all of these are classes of tests: \(names)")
            exit(99)
        }
        var options = XCTestRunner.Options()
        options.bundleFirst = CommandLine.arguments.contains("--bundle-first")
        options.repeatsFailures = CommandLine.arguments.contains("--repeat-failures")
        exit(XCTestRunner.run(chosen, options) ? 0 : 1)
    }
}

struct Boom: Error {}

// MARK: - Classes with one test, by the selector that Objective-C has for it

class SyncTest: RetryableTestCase {
    override class var testMethods: TestMethods { [("test", .sync(SyncTest.test))] }

    func test() {}
}

class ThrowingTest: RetryableTestCase {
    override class var testMethods: TestMethods { [("testAndReturnError:", .sync(ThrowingTest.test))] }

    func test() throws {}
}

class AsyncTest: RetryableTestCase {
    override class var testMethods: TestMethods { [("testWithCompletionHandler:", .async(AsyncTest.test))] }

    func test() async throws {}
}
