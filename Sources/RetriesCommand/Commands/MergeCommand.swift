import RetryReport

/// `retries merge`: makes one report of those of several shards.
struct MergeCommand {
    static let syntax = Syntax(
        name: "merge",
        usage: "retries merge FILE… --output FILE",
        summary: "Make one report of several, such as those of a build's shards.",
        options: [.init(name: "--output", value: "FILE", help: "Where the report goes; - for standard output.")],
        discussion: """
            FILE is a report (retryable-retries.json), a folder to search for reports, or - for standard input.
            Every record is kept: a test that flaked in two shards has two, told apart by their run.
            The output may be one of the files; it is replaced whole or not at all.
            """
    )

    let files: [String]
    let output: String

    init(_ arguments: Arguments) throws(UsageError) {
        guard !arguments.files.isEmpty else {
            throw UsageError("merge needs the reports to merge (retries merge FILE… --output FILE)")
        }
        guard let output = try arguments.text("--output") else {
            throw UsageError("merge needs --output FILE")
        }
        files = arguments.files
        self.output = output
    }

    func run(in surroundings: Surroundings) throws {
        let report = try surroundings.report(of: files)
        try surroundings.write(report.json(), to: output)
    }
}
