/// What the command is asked to do.
enum Invocation {
    case help(String)
    case version
    case report(ReportCommand)
    case merge(MergeCommand)
    case check(CheckCommand)
    case history(HistoryCommand)
    case `repeat`(RepeatCommand)

    private static let commands = [
        ReportCommand.syntax, MergeCommand.syntax, CheckCommand.syntax, HistoryCommand.syntax, RepeatCommand.syntax,
    ]

    init(_ arguments: [String]) throws(UsageError) {
        guard let name = arguments.first else {
            throw UsageError(
                "no command: one of \(Self.commands.map(\.name).joined(separator: ", ")) (retries --help shows all)"
            )
        }
        switch name {
        case "help" where arguments.count == 2 && arguments[1] != "help":
            try self.init([arguments[1], "help"])
            return
        case "--help", "-h", "help":
            self = .help(Self.help)
            return
        case "--version":
            self = .version
            return
        default: break
        }
        guard let syntax = Self.commands.first(where: { $0.name == name }) else {
            throw .unknown(
                name.hasPrefix("-") ? "option" : "command",
                name,
                known: Self.commands.map(\.name) + ["help", "--help", "--version"],
                see: "retries --help shows all"
            )
        }
        let arguments = try Arguments(arguments.dropFirst(), syntax: syntax)
        guard !arguments.wantsHelp else {
            self = .help(syntax.help)
            return
        }
        switch name {
        case MergeCommand.syntax.name: self = .merge(try MergeCommand(arguments))
        case CheckCommand.syntax.name: self = .check(try CheckCommand(arguments))
        case HistoryCommand.syntax.name: self = .history(try HistoryCommand(arguments))
        case RepeatCommand.syntax.name: self = .repeat(try RepeatCommand(arguments))
        default: self = .report(try ReportCommand(arguments))
        }
    }

    func run(in surroundings: Surroundings) throws -> ExitCode {
        switch self {
        case .help(let text): try surroundings.write(Array(text.utf8), to: nil)
        case .version: try surroundings.write(Array("\(Version.text)\n".utf8), to: nil)
        case .report(let command): try command.run(in: surroundings)
        case .merge(let command): try command.run(in: surroundings)
        case .check(let command): return try command.run(in: surroundings)
        case .history(let command): try command.run(in: surroundings)
        case .repeat(let command): return try command.run(in: surroundings)
        }
        return .fine
    }

    private static var help: String {
        let rows = commands.map { ("retries \($0.name)", $0.summary) } + [("retries --version", "Show the version.")]
        return """
            Shows, merges and judges what Retryable had to retry.

            usage: retries COMMAND [FILE…] [OPTION…]

            \(Syntax.table(rows))

            \(ReportInput.help)
            Exit codes: 0 fine, 1 a check failed or a repeated run did, 2 usage or input error.
            retries COMMAND help shows the options of a command.

            """
    }
}
