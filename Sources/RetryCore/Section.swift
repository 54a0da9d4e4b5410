import Groundwork

/// The code inside one `flaky(…) { }`.
package struct Section: Sendable {
    package let mark: Flakiness
    package let site: CallSite

    package init(mark: Flakiness, site: CallSite) {
        self.mark = mark
        self.site = site
    }

    package var place: Place { site.place }
}

/// A section while it runs.
package struct OpenSection: Identifiable {
    /// What tells it from every other in this process, a second run of the same code included.
    package let id: UInt64
    /// Which of the sections it is that its attempt has entered. No more is copied each time that a section runs.
    let entered: Int
    /// Whether the test's own flow has opened it, and not some other task or queue.
    let isInOwnFlow: Bool

    /// Where an attempt begins to count: so far from the attempt before that no two ever have one number.
    static func startOfNumbers() -> ID {
        attempts.withLock { attempts in
            attempts += 1
            return attempts << 40
        }
    }

    private static let attempts = Locked<UInt64>(0)
}
