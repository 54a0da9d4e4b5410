/// What the arguments ask for.
enum Invocation {
    case show(String)
    case run(any Command)

    private static var commands: [any Command.Type] {
        [ReportCommand.self, MergeCommand.self, CheckCommand.self, HistoryCommand.self, RepeatCommand.self]
    }

    init(_ arguments: [String]) throws(Problem) {
        // `help COMMAND` is `COMMAND help`.
        let arguments = arguments.count == 2 && arguments[0] == "help" ? arguments.reversed() : arguments
        let names = Self.commands.map { $0.syntax.name }
        guard let name = arguments.first else {
            throw Problem("no command: one of \(names.joined(separator: ", ")) (retries --help shows all)")
        }
        switch name {
        case "--help", "-h", "help": self = .show(Self.help)
        case "--version": self = .show("\(Version.text)\n")
        default:
            guard let command = Self.commands.first(where: { $0.syntax.name == name }) else {
                throw .unknown(
                    name.hasPrefix("-") ? "option" : "command",
                    name,
                    known: names + ["help", "--help", "--version"],
                    see: "retries --help shows all"
                )
            }
            let arguments = try Arguments(arguments.dropFirst(), syntax: command.syntax)
            self = arguments.wantsHelp ? .show(command.syntax.help) : .run(try command.init(arguments))
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        switch self {
        case .show(let text):
            try context.write(text)
            return .fine
        case .run(let command): return try command.run(in: context)
        }
    }

    private static var help: String {
        let rows = commands.map { ("retries \($0.syntax.name)", $0.syntax.summary) }
        return """
            Shows, merges and judges what Retryable had to retry.

            usage: retries COMMAND [FILE…] [OPTION…]

            \(Syntax.table(rows + [("retries --version", "Show the version.")]))

            \(ReportInput.help)
            Exit codes: 0 fine, 1 a check failed or a repeated run did, 2 usage or input error.
            retries COMMAND help shows the options of a command.

            """
    }
}
