import RetryReport

extension MarkCount {
    /// What one attempt adds to what is counted of a section.
    init(_ entered: EnteredSection, file: String, module: String) {
        let (section, mark) = (entered.section, entered.section.mark)
        self.init(
            file: file,
            line: section.place.line,
            module: module,
            reason: mark.reason,
            fixable: mark.isFixable,
            maxRetryCount: mark.maxRetryCount,
            matching: mark.matching,
            runs: 1,
            flakes: entered.hasFlaked ? 1 : 0,
            failures: entered.hasFailed ? 1 : 0
        )
    }
}
