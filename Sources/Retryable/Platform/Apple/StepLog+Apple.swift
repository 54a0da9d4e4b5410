#if canImport(ObjectiveC)
    import Groundwork
    import Foundation
    import RetryCore
    import XCTest

    /// Writes one line about a step into the test's log: an activity, which Xcode shows where it happened.
    ///
    /// XCTest has activities on the main thread alone; from any other, the line goes to standard error.
    func note(step line: String) {
        let line = line.escapingControlCharacters
        guard Thread.isMainThread else { return log(line) }
        MainActor.assumeIsolated { XCTContext.runActivity(named: line) { _ in } }
    }
#endif
