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
    /// Unique in this process; a second run of the same code has another.
    package let id: UInt64
    /// The index of the section among those that its attempt has entered. An index, so that little is copied each time.
    let entered: Int
    /// Whether the test's own flow has opened it, and not some other task or queue.
    let isInOwnFlow: Bool

    /// The number at which an attempt begins to count. Attempts are 2^40 apart, so that no two sections share a number.
    static func startOfNumbers() -> ID {
        attempts.withLock { attempts in
            attempts += 1
            return attempts << 40
        }
    }

    private static let attempts = Locked<UInt64>(0)
}
