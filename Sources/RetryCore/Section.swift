import Groundwork
import RetryReport

/// The code inside one `flaky(…) { }`: its mark and its place.
package struct Section: Hashable, Sendable {
    package let mark: Flakiness
    package let site: CallSite

    package var place: Place { site.place }
}

/// The ``Place`` of a call, as the call's test framework gives it.
///
/// It becomes a place, which takes a `String`, only when something is reported: a section that passes should not pay for it.
package enum CallSite: Hashable, Sendable {
    case xctest(StaticString, UInt)
    case testing(String, Int)

    package var place: Place {
        switch self {
        case .xctest(let file, let line): ("\(file)", Int(clamping: line))
        case .testing(let file, let line): (file, line)
        }
    }

    package static func == (first: CallSite, second: CallSite) -> Bool {
        switch (first, second) {
        case (.xctest(let file, let line), .xctest(let otherFile, let otherLine)):
            line == otherLine && file.utf8Start == otherFile.utf8Start  // the characters of a literal have an address
        default: first.place == second.place
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .xctest(_, let line): hasher.combine(Int(clamping: line))
        case .testing(_, let line): hasher.combine(line)
        }
    }
}

/// A line in a source file.
package typealias Place = (file: String, line: Int)

/// The effect of a section's failures on an attempt that entered it.
package struct SectionResult: Sendable {
    /// A failure in it was a flake, or would have been if the run's settings allowed it.
    package var hasFlaked = false
    /// The attempt failed in it because its retries were used up.
    package var hasFailed = false
}

/// A section while it runs, linked to the section around it.
///
/// One task-local value holds the innermost: a task made inside a section inherits it, a detached task does not, and where
/// there is no task, it is bound to the thread.
package final class OpenSection: Sendable {
    @TaskLocal package static var innermost: OpenSection?

    package let attempt: Attempt
    package let section: Section
    /// The section around this one in the same task or thread; it may have ended, or be another attempt's.
    package let outer = OpenSection.innermost
    /// It is none, but what a test does about its flake: what fails in it, or in a section inside, is in none.
    let isOutside: Bool

    // All of these are touched only under the attempt's lock. The neighbours in the attempt's list of open sections are safe
    // without a reference count, because a section leaves the list before it is released.
    nonisolated(unsafe) unowned(unsafe) var newer: OpenSection?
    nonisolated(unsafe) unowned(unsafe) var older: OpenSection?
    nonisolated(unsafe) var isOpen = true
    /// The failures that a framework has asked about and this section has suppressed.
    nonisolated(unsafe) var held: Set<Failure> = []

    init(_ section: Section, of attempt: Attempt, isOutside: Bool = false) {
        self.section = section
        self.attempt = attempt
        self.isOutside = isOutside
    }

    /// The sections of the current task, or of the thread where there is no task, innermost first.
    package static var stack: [OpenSection] {
        innermost.map { Array(sequence(first: $0, next: \.outer)) } ?? []
    }
}

// MARK: - Running a section

// For XCTest. What fails meanwhile comes to its run (`JudgingRun`), which asks for `sectionsHere`. In Swift Testing, a section
// runs as a known issue.

extension Attempt {
    /// Runs a section of no test, once in a process. The first takes half a millisecond in a debug build, in which a race that a
    /// mark is around would end otherwise.
    package static let warmUp: Void = Attempt(retryCount: 0).runSection(.fixable(reason: ""), at: .xctest("", 0)) {}

    package func runSection<Result>(
        _ mark: Flakiness,
        at site: CallSite,
        _ body: () throws -> Result
    ) rethrows -> Result {
        let section = open(mark, at: site)
        defer { close(section) }
        do {
            return try OpenSection.$innermost.withValue(section, operation: body)
        } catch {
            note(error, leaving: section)
            throw error
        }
    }

    /// Runs a section that suspends, on the caller's actor.
    package func runSection<Result>(
        _ mark: Flakiness,
        at site: CallSite,
        isolation: isolated (any Actor)?,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        let section = open(mark, at: site)
        defer { close(section) }
        do {
            return try await OpenSection.$innermost.withValue(section, operation: body, isolation: isolation)
        } catch {
            note(error, leaving: section)
            throw error
        }
    }

    package func open(_ mark: Flakiness, at site: CallSite) -> OpenSection {
        let section = OpenSection(Section(mark: mark, site: site), of: self)
        state.withLock { state in
            state.enter(section.section)
            section.older = state.newestOpen
            state.newestOpen?.newer = section
            state.newestOpen = section
            share(&state)
        }
        return section
    }

    package func close(_ section: OpenSection) {
        state.withLock { state in
            guard section.isOpen else { return }
            section.isOpen = false
            section.older?.newer = section.newer
            if let newer = section.newer { newer.older = section.older } else { state.newestOpen = section.older }
            share(&state)
        }
    }

    /// Has the open sections known to a parent that supervises this process, should it die now.
    private func share(_ state: inout State) {  // a copy would cost a tenth of a section
        guard sharedProgress != nil || slot != nil else { return }
        // What `didFlake()` does is in none.
        let open = state.didFlake == .running ? [] : Array(state.allOpen)
        sharedProgress?.write(open: open, of: self)
        slot?.write(open: open)
    }

    /// The sections around a failure that is recorded here and now, innermost first.
    ///
    /// - Parameter countsAll: Counts all open sections of the attempt where there is neither a task nor a section of this
    ///   thread. XCTest's waiters, and many callbacks, record on such threads.
    package func sectionsHere(countingAllWithoutTask countsAll: Bool = false) -> [Section] {
        let stack = OpenSection.stack.filter { $0.attempt === self }
        if stack.contains(where: \.isOutside) { return [] }
        return state.withLock { state in
            let own = stack.filter(\.isOpen).map(\.section)
            let isForeign = countsAll && OpenSection.innermost == nil && withUnsafeCurrentTask { $0 == nil }
            return isForeign ? Array(state.allOpen) : own
        }
    }

    /// Calls the test's `didFlake()`, outside of all sections, if this is the verdict on the attempt's first flake.
    package func callAtFirstFlake(_ verdict: Verdict, _ didFlake: () -> Void) {
        guard case .flake(let section) = verdict, change(didFlake: .ahead, to: .running) else { return }
        OpenSection.$innermost.withValue(OpenSection(section, of: self, isOutside: true), operation: didFlake)
        _ = change(didFlake: .running, to: .over)
    }

    private func change(didFlake before: Callback, to after: Callback) -> Bool {
        state.withLock { state in
            guard state.didFlake == before else { return false }
            state.didFlake = after
            share(&state)
            return true
        }
    }
}

extension Attempt.State {
    mutating func enter(_ section: Section) {
        // The common case, a section in a loop, needs no hashing. (Compared as optionals, both would be copied.)
        if let lastEntered, lastEntered == section { return }
        lastEntered = section
        if entered[section] == nil { entered[section] = SectionResult() }
    }

    /// The sections that are open, newest first.
    var allOpen: some Sequence<Section> {
        sequence(state: newestOpen) { next in
            defer { next = next?.older }
            return next?.section
        }
    }
}
