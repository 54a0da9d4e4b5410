/// Whether an error of which XCTest gives the text alone is the error that left a section last, as far as can be known.
package struct ErrorMatch: Hashable, Sendable {
    /// Whether the text is that of the error that left a section.
    package var readsAlike = true
    /// Whether nothing else has happened in the test since: no section was opened, nothing failed.
    package var isLast = true
    /// Whether the error that left the section still exists. One that the test has caught is gone as soon as the test lets go
    /// of it, and then somebody else has thrown what XCTest tells of.
    package var isStillAround = true
    /// For an error that an assertion tells of: whether the section stands in the assertion's call, as far as file and line
    /// say. Others have ended set up or tear down.
    package var isInCall = true

    package init() {}

    /// Whether it is that error. When in doubt, it is not, and the failure is real.
    package var isCertain: Bool { readsAlike && isLast && isStillAround && isInCall }
}
