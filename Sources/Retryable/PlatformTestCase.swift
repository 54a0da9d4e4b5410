import RetryCore
import RetryReport
import XCTest

/// What the test case class of each platform provides, so that a test can be attempted again.
///
/// The platform also calls the steps of an attempt, at the moments that `AttemptLifecycle.swift` names.
protocol PlatformTestCase: XCTestCase {
    /// What happened to this test before; `nil` on the first attempt.
    var previousFlake: PreviousFlake? { get }

    /// How many attempts of this test came before the current one: 0 on the first.
    var retryCount: Int { get }

    /// The attempt that this instance is for; `nil` until it runs.
    var attempt: Attempt? { get set }

    /// Whether the test's result shows that this attempt flaked.
    var hasShownFlake: Bool { get set }

    /// Whether the test is to stop at its first failure (`continueAfterFailure` is `false`), as its author asked.
    var stopsAtFailure: Bool { get }

    /// What the test is called in the report: the same for all of its attempts.
    var reportName: TestName { get }

    /// Records a failure that neither a section nor a subclass's override can suppress.
    func fail(_ failure: Failure, in run: XCTestRun)

    /// This test, for its next attempt. Nothing of this instance is kept.
    func queued(after previousFlake: PreviousFlake) -> QueuedTest
}

extension TestName {
    /// The name of any test case.
    init(of test: XCTestCase) {
        self.init(of: test.nameOfMethod, in: type(of: test))
        if test.name.hasPrefix("-[") { name = test.name }
    }

    init(of method: String, in testClass: XCTestCase.Type) {
        self.init("-[\(testClass) \(method)]", module: String(String(reflecting: testClass).prefix { $0 != "." }))
    }
}

extension XCTestCase {
    /// The part after the class, where the test's name is `Class.test`; else the name.
    var nameOfMethod: String {
        let opening = "\(type(of: self))."
        return name.hasPrefix(opening) ? String(name.dropFirst(opening.count)) : name
    }
}
