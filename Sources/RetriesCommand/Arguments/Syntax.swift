/// What a command takes, and what `--help` says of it.
struct Syntax {
    let name: String
    let usage: String
    let summary: String
    let options: [Option]
    /// What else there is to know, wrapped as it is to be shown.
    let discussion: String
    /// Whether `--` is followed by a command to run.
    var endsWithCommand = false

    struct Option {
        /// As it is written on a command line: `--output FILE`.
        let form: String
        let help: String
        let isRepeatable: Bool

        init(_ form: String, _ help: String, isRepeatable: Bool = false) {
            self.form = form
            self.help = help
            self.isRepeatable = isRepeatable
        }

        var name: String { String(form.prefix { $0 != " " }) }
        var takesValue: Bool { name != form }
    }

    var help: String {
        let rows = options.map { ($0.form, $0.help) } + [("--help", "Show this.")]
        return """
            \(summary)

            usage: \(usage)

            \(Self.table(rows))

            \(discussion)

            """
    }

    /// Two columns, the second one aligned.
    static func table(_ rows: [(String, String)]) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 2
        return rows.map { name, help in
            let lines = help.split(separator: "\n")
            let gap = String(repeating: " ", count: width - name.count)
            return "  " + name + gap + lines.joined(separator: "\n" + String(repeating: " ", count: width + 2))
        }.joined(separator: "\n")
    }
}
