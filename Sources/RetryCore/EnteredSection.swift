import RetryReport

/// A section that an attempt has entered at least once, and whether the attempt flaked or failed in it.
package struct EnteredSection: Sendable {
    package let section: Section
    /// Whether a failure in it was a flake, or would have been if the run's mode allowed it.
    package fileprivate(set) var hasFlaked = false
    /// Whether the attempt failed in it because its retries were used up.
    package fileprivate(set) var hasFailed = false
}

extension Attempt.State {
    /// The number of a section that is opened, among those that the attempt has entered.
    mutating func enter(_ mark: Flakiness, at site: CallSite) -> Int {
        if let known = number(of: mark, at: site) { return known }
        entered.append(EnteredSection(section: Section(mark: mark, site: site)))
        return entered.count - 1
    }

    /// Takes note of a flake that was judged in a process that has died since.
    ///
    /// - Parameter failure: Stands for what failed then, which was lost with that process.
    mutating func noteFlake(because section: Section, _ failure: Failure) {
        entered[enter(section.mark, at: section.site)].hasFlaked = true
        flake = Flake(section: section, failure: failure)
    }

    /// Takes note of the verdict on a failure in `sections`, innermost first.
    mutating func note(_ verdict: Verdict, on circumstances: Circumstances, in sections: [Section]) {
        let (allowed, used) = (circumstances.allowedRetries, circumstances.retryCount)
        switch verdict {
        case .flake(let index):
            change(sections[index]) { $0.hasFlaked = true }
        case .refused:
            guard let index = allowed.firstIndex(where: { used < $0 }) else { return }
            change(sections[index]) { $0.hasFlaked = true }
        case .real where !circumstances.hasFailed:
            guard let index = allowed.firstIndex(where: { $0 > 0 && used >= $0 }) else { return }
            change(sections[index]) { $0.hasFailed = true }
        case .real, .aftermath: break
        }
    }

    private mutating func change(_ section: Section, by body: (inout EnteredSection) -> Void) {
        guard let known = number(of: section.mark, at: section.site) else { return }
        body(&entered[known])
    }

    private func number(of mark: Flakiness, at site: CallSite) -> Int? {
        // From the end, because a section in a loop was entered last. By index, so that nothing is copied.
        for index in entered.indices.reversed()
        where entered[index].section.site.isSame(as: site) && entered[index].section.mark == mark { return index }
        return nil
    }
}
