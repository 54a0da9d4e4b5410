import AppAutomation
import Groundwork
import XCTest

/// Keeps tests apart: what one has launched ends with it, and what one has announced is forgotten before the next.
///
/// An observer and not a teardown block, because XCTest allows none to be added once `tearDown` runs. So an app can be used,
/// and even launched, until the test has ended.
final class TestBoundary: NSObject, XCTestObservation {
    private static let hasBegun = Locked(false)
    private static let endings = Locked<[ObjectIdentifier: [@Sendable () -> Void]]>([:])

    /// Begins when a test first waits or launches, once in a process.
    static func begin(with test: XCTestCase) {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        // What an earlier test announced, whose end was not observed.
        EventHub.shared.forgetElements(announcedBefore: test.testRun?.startDate ?? .distantPast)
        #if canImport(Darwin)
            // Apple's XCTest takes observers on the main thread alone.
            guard Thread.isMainThread else {
                return DispatchQueue.main.async { XCTestObservationCenter.shared.addTestObserver(TestBoundary()) }
            }
        #endif
        XCTestObservationCenter.shared.addTestObserver(TestBoundary())
    }

    /// Has this done when the test has ended, the last one first.
    static func atEnd(of test: XCTestCase, _ ending: @escaping @Sendable () -> Void) {
        begin(with: test)
        endings.withLock { $0[ObjectIdentifier(test), default: []].append(ending) }
    }

    /// Called by XCTest.
    func testCaseWillStart(_ testCase: XCTestCase) {
        EventHub.shared.forgetElements()
    }

    /// Called by XCTest.
    func testCaseDidFinish(_ testCase: XCTestCase) {
        let endings = Self.endings.withLock { $0.removeValue(forKey: ObjectIdentifier(testCase)) ?? [] }
        endings.reversed().forEach { $0() }
    }
}
