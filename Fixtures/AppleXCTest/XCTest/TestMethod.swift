import ObjectiveC

/// A test method, as a table of methods holds it. See the README: methods are found without Objective-C here.
public final class TestMethod {
    let run: (XCTestCase) throws -> Void
    /// Whether it suspends.
    let suspends: Bool

    private init(suspends: Bool, run: @escaping (XCTestCase) throws -> Void) {
        self.run = run
        self.suspends = suspends
    }

    /// A method that returns when it is done.
    public static func sync<Test: XCTestCase>(_ method: @escaping (Test) -> () throws -> Void) -> TestMethod {
        TestMethod(suspends: false) { test in
            if let test = test as? Test { try method(test)() }
        }
    }

    /// A method that suspends, run in a task of its own while the main thread waits.
    public static func async<Test: XCTestCase>(_ method: @escaping (Test) -> () async throws -> Void) -> TestMethod {
        TestMethod(suspends: true) { test in
            guard let test = test as? Test else { return }
            try waiting(for: method(test))
        }
    }

    /// Makes Objective-C's runtime know what the table of a class says.
    static let areKnown: Void = {
        // Touched on the main thread alone.
        nonisolated(unsafe) var known: [ObjectIdentifier: [Selector: TestMethod]] = [:]
        MethodTable.declared = { name, cls in
            guard let testClass = cls as? XCTestCase.Type else { return nil }
            let key = ObjectIdentifier(cls)
            if known[key] == nil {
                known[key] = Dictionary(
                    uniqueKeysWithValues: testClass.testMethods.map { (Selector($0.selector), $0.method) }
                )
            }
            return known[key]?[name]
        }
    }()
}

/// Runs what suspends in a task of its own, while the main thread waits.
func waiting(for body: @escaping () async throws -> Void) throws {
    let result = Outcome()
    nonisolated(unsafe) let call = body
    Task.detached {
        do { try await call() } catch { result.error = error }
        result.done.signal()
    }
    while result.done.wait(timeout: .now()) == .timedOut {
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001))
    }
    if let error = result.error { throw error }
}

private final class Outcome: @unchecked Sendable {
    // `error` is written before `done` is signalled, and read after.
    let done = DispatchSemaphore(value: 0)
    var error: (any Error)?
}
