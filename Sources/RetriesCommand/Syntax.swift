/// A command's arguments and its help.
struct Syntax {
    let name: String
    let usage: String
    let summary: String
    let options: [Option]
    /// The text below the options, with its line breaks.
    let discussion: String
    /// Whether `--` and a command to run follow the options.
    var endsWithCommand = false

    /// An option as it is written on a command line, such as `--output FILE`, and its help.
    typealias Option = (form: String, help: String)

    var help: String {
        """
        \(summary)

        usage: \(usage)

        \(Self.table(options + [("--help", "Show this help.")]))

        \(discussion)

        """
    }

    /// Two columns, the second one aligned.
    static func table(_ rows: [Option]) -> String {
        let width = (rows.map(\.form.count).max() ?? 0) + 2
        return rows.map { name, help in
            let lines = help.split(separator: "\n")
            let gap = String(repeating: " ", count: width - name.count)
            return "  " + name + gap + lines.joined(separator: "\n" + String(repeating: " ", count: width + 2))
        }.joined(separator: "\n")
    }
}
