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

/// The sections that the current task is in: what decides where a failure belongs.
///
/// Tasks made inside a section inherit it, detached ones do not. Without a task, it is bound to the thread. Only numbers
/// are bound, because a section that passes should cost next to nothing; the attempt knows what they stand for.
package enum CurrentSections {
    /// The innermost section; 0 outside of all.
    @TaskLocal static var innermost: UInt64 = 0

    /// The sections around the innermost, from the inside out.
    @TaskLocal static var around: [UInt64] = []

    /// All sections that the task is in, innermost first.
    static var all: [Section.ID] {
        let innermost = innermost
        return innermost == 0 ? [] : [innermost] + around
    }

    /// Runs `body` outside of all sections.
    package static func none<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $innermost.withValue(0, operation: body)
    }
}
