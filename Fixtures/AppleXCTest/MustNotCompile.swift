import Retryable

// What the check has to refuse: each line after such a comment, with the error that it names.

class Planted: RetryableTestCase {
    // error: must use a 'required' initializer
    func again(_ selector: Selector) -> Planted { type(of: self).init(selector: selector) }

    // error: overriding declaration requires an 'override' keyword
    func invokeTest() {}

    // error: cannot be overridden
    override func addTeardownBlock(_ block: @escaping @Sendable () async throws -> Void) {}

    // error: method does not override any method from its superclass
    override func record(_ issue: XCTIssueReference) {}

    // error: cannot find type 'XCTestCaseClosure' in scope
    func closure() -> XCTestCaseClosure? { nil }

    func plant() {
        // error: 'ContinuousClock' is only available in (macOS 13|iOS 16).0 or newer
        _ = ContinuousClock()
        // error: 'NSInvocation' is unavailable in Swift
        invocation = NSInvocation()
        // error: main actor-isolated class method 'runActivity\(named:block:\)' cannot be called from outside of the actor
        Task.detached { XCTContext.runActivity(named: "anywhere") { _ in } }
    }
}
