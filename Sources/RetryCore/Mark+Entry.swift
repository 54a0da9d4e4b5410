import RetryReport

extension Mark {
    /// What one attempt adds to what is counted of a section.
    init(_ entry: Attempt.Entry, file: String, module: String) {
        let (section, mark) = (entry.section, entry.section.mark)
        self.init(
            file: file,
            line: section.place.line,
            module: module,
            reason: mark.reason,
            fixable: mark.isFixable,
            maxRetryCount: mark.maxRetryCount,
            matching: mark.matching,
            runs: 1,
            flakes: entry.hasFlaked ? 1 : 0,
            failures: entry.hasFailed ? 1 : 0
        )
    }
}
