/// The results of tests, as XCTest counts them.
package struct Totals: Hashable, Sendable, BitwiseCopyable {
    package var duration = 0.0
    package var executions = 0
    package var skips = 0
    package var failures = 0
    package var exceptions = 0

    package init() {}

    package var hasFailed: Bool { failures + exceptions > 0 }

    package static func += (totals: inout Totals, more: Totals) {
        totals.duration += more.duration
        totals.executions += more.executions
        totals.skips += more.skips
        totals.failures += more.failures
        totals.exceptions += more.exceptions
    }
}
