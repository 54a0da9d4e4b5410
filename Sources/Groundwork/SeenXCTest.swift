/// What the observers of this package's modules have seen of XCTest.
package enum SeenXCTest {
    /// A suite runs, as far as Retryable's observer has seen.
    package static let isRunning = Locked(false)
    /// The failures that XCTest has recorded since an observer was added; `nil` if none is yet.
    package static let failures = Locked<Int?>(nil)

    package static func countFailure() { failures.withLock { $0? += 1 } }

    /// No test of XCTest has got what was recorded since then. (Where a suite runs, a section may hold it.)
    package static func hasLostFailure(since before: Int?) -> Bool {
        before != nil && before == failures.withLock(\.self) && !isRunning.withLock(\.self)
    }
}
