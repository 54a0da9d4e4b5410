import Groundwork

/// The code inside one `flaky(…) { }`, while it runs.
package struct Section: Identifiable, Sendable {
    /// What tells it from every other in this process, a second run of the same code included.
    package let id: UInt64
    package let mark: Flakiness
    package let site: CallSite
    /// Whether the test's own flow has opened it, and not some other task or queue.
    let isInOwnFlow: Bool

    package init(id: UInt64 = 0, mark: Flakiness, site: CallSite, isInOwnFlow: Bool = false) {
        self.id = id
        self.mark = mark
        self.site = site
        self.isInOwnFlow = isInOwnFlow
    }

    package var place: Place { site.place }

    /// Where an attempt begins to count its sections: so far from the attempt before that no two ever have one number.
    static func startOfNumbers() -> ID {
        attempts.withLock { attempts in
            attempts += 1
            return attempts << 40
        }
    }

    private static let attempts = Locked<UInt64>(0)
}
