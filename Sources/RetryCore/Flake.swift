import RetryReport

/// A failure for which an attempt is not counted as failed, and the section that it is a flake of.
package struct Flake: Sendable {
    package var section: Section
    package var failure: Failure

    package init(section: Section, failure: Failure) {
        self.section = section
        self.failure = failure
    }

    /// Where it failed; at its section, where XCTest knew no place.
    package var place: Place {
        Place(file: failure.file ?? section.place.file, line: failure.line ?? section.place.line)
    }
}
