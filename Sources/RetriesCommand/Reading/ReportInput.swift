/// Which reports a command reads, as its arguments say.
struct ReportInput {
    var names: [String]
    /// The age in seconds beyond which a report is refused, with the words that asked for it.
    var maxAge: (seconds: Double, text: String)?
    /// Whether it is fine that there is no report.
    var allowsMissing = false

    static let maxAge = Syntax.Option(
        "--max-age DURATION",
        "Refuse a report whose run ended longer ago: 90s, 30m, 2h, 1d."
    )
    static let allowMissing = Syntax.Option(
        "--allow-missing",
        "It is fine if there is no report: for a job that may run no test that can be retried."
    )
    /// What makes a report, for a message where there is none.
    static let whatMakesOne =
        "a run writes one as soon as a RetryableTestCase, or a test with .retryable or .flaky, has run; "
        + "--allow-missing if it need not have any"

    /// What every command says of its files.
    static let help = """
        FILE is a report (retryable-retries.json), a folder, which means every report in it, or - for standard input.
        Without one: what RETRYABLE_REPORT names, else the newest .build/*/retryable-retries.json.
        Several reports are shown as one; a test that flaked in two of them is in it twice.
        """
}

extension ReportInput {
    init(_ arguments: Arguments) throws(Problem) {
        names = arguments.files
        maxAge = try arguments.duration(Self.maxAge.name)
        allowsMissing = arguments.has(Self.allowMissing.name)
    }
}
