extension Attempt {
    /// A section that this attempt has entered, however often, and what came of it.
    package struct Entry: Sendable {
        package let section: Section
        /// Whether a failure in it was a flake, or would have been if the run's mode allowed it.
        package fileprivate(set) var hasFlaked = false
        /// Whether the attempt failed in it because its retries were used up.
        package fileprivate(set) var hasFailed = false

        package init(section: Section, hasFlaked: Bool = false) {
            self.section = section
            self.hasFlaked = hasFlaked
        }
    }
}

extension Attempt.State {
    /// Takes note of a section that is opened.
    ///
    /// It costs a passing section a comparison: one that is entered in a loop is the last that was.
    mutating func enter(_ section: Section) {
        if let last = entries.last, last.section.isSameCode(as: section) { return }
        if entries.contains(where: { $0.section.isSameCode(as: section) }) { return }
        entries.append(Attempt.Entry(section: section))
    }

    /// Takes note of the verdict on a failure in `sections`, innermost first.
    mutating func note(_ verdict: Verdict, on circumstances: Circumstances, in sections: [Section]) {
        let (allowed, used) = (circumstances.allowedRetries, circumstances.retryCount)
        switch verdict {
        case .flake(let index):
            changeEntry(of: sections[index]) { $0.hasFlaked = true }
        case .refused:
            guard let index = allowed.firstIndex(where: { used < $0 }) else { return }
            changeEntry(of: sections[index]) { $0.hasFlaked = true }
        case .real where !circumstances.hasFailed:
            guard let index = allowed.firstIndex(where: { $0 > 0 && used >= $0 }) else { return }
            changeEntry(of: sections[index]) { $0.hasFailed = true }
        case .real, .aftermath: break
        }
    }

    private mutating func changeEntry(of section: Section, _ change: (inout Attempt.Entry) -> Void) {
        guard let index = entries.firstIndex(where: { $0.section.isSameCode(as: section) }) else { return }
        change(&entries[index])
    }
}

extension Section {
    /// Whether two sections are one place in the code with one mark, entered twice.
    fileprivate func isSameCode(as other: Section) -> Bool {
        site.isSame(as: other.site) && mark == other.mark
    }
}
