/// Whether an error of which XCTest gives the text alone is the error that left a section last, as far as can be known.
package struct ErrorMatch: Hashable, Sendable {
    /// Whether the text is that of the error that left a section.
    package var readsAlike = true
    /// Whether nothing else has happened in the test since: no section was opened, nothing failed.
    package var isLast = true
    /// Whether the error that left the section still exists. One that the test has caught and released does not; then XCTest
    /// reports another error.
    package var isStillAround = true
    /// For an error that an assertion reports: whether the section lies in the assertion's call, judged by file and line. For
    /// an error that ended `setUp` or `tearDown`, `true`.
    package var isInCall = true

    package init() {}

    /// Whether it is that error. When in doubt, it is not, and the failure is real.
    package var isCertain: Bool { readsAlike && isLast && isStillAround && isInCall }
}
