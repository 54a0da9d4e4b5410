import RetryReport

/// A suppressed failure, and the section that suppressed it.
package struct Flake: Sendable {
    package var section: Section
    package var failure: Failure

    package init(section: Section, failure: Failure) {
        self.section = section
        self.failure = failure
    }

    /// Where it failed; the section's place if the test framework gave none.
    package var place: Place {
        Place(file: failure.file ?? section.place.file, line: failure.line ?? section.place.line)
    }
}
