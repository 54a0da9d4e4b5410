import Groundwork

/// The `retries` command: shows, merges and judges reports.
package enum RetriesCommand {
    static let version = "1.0.0"

    /// Runs the command with the arguments of this process, and ends the process.
    package static func runAndExit() -> Never {
        switch run(arguments: Array(CommandLine.arguments.dropFirst()), in: CommandContext()) {
        case .exitCode(let code): exit(code)
        case .signal(let number):
            signal(number, SIG_DFL)
            // Dispatch has blocked it.
            var signals = signalSet(number)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(number)
            // In a container's first process, a signal without a handler does nothing.
            exit(128 + number)
        }
    }

    /// Returns the exit code: 0 fine, 1 a check failed, 2 usage or input error; or the signal that interrupted the command.
    static func run(arguments: [String], in context: CommandContext) -> ProcessEnding {
        do {
            return .exitCode(try execute(arguments, in: context).rawValue)
        } catch let interruption as Interrupted {
            return .signal(interruption.signalNumber)
        } catch {
            context.log("\(error)")
            return .exitCode(ExitCode.problem.rawValue)
        }
    }

    private static var commands: [any Command.Type] {
        [
            ReportCommand.self, MergeCommand.self, CheckCommand.self, HistoryCommand.self, RepeatCommand.self,
            WhyCommand.self, NewCommand.self, BriefCommand.self,
        ]
    }

    /// Runs the command that the arguments name, or shows the help that they ask for.
    private static func execute(_ arguments: [String], in context: CommandContext) throws -> ExitCode {
        // `help COMMAND` is `COMMAND help`.
        let arguments = arguments.count == 2 && arguments[0] == "help" ? arguments.reversed() : arguments
        let names = commands.map { $0.syntax.name }
        guard let name = arguments.first else {
            throw Problem("no command: one of \(names.joined(separator: ", ")) (retries --help shows all)")
        }
        if let command = commands.first(where: { $0.syntax.name == name }) {
            let arguments = try Arguments(arguments.dropFirst(), syntax: command.syntax)
            guard arguments.wantsHelp else { return try command.run(arguments, in: context) }
            try context.write(command.syntax.help)
        } else if ["--help", "-h", "help"].contains(name) {
            try context.write(help)
        } else if name == "--version" {
            try context.write("\(version)\n")
        } else {
            let kind = name.hasPrefix("-") ? "option" : "command"
            let known = names + ["help", "--help", "--version"]
            throw Problem.unknown(kind, name, known: known, see: "retries --help shows all")
        }
        return .fine
    }

    private static var help: String {
        let rows = commands.map { ("retries \($0.syntax.name)", $0.syntax.summary) }
        return """
            Shows, merges and judges what Retryable had to retry.

            usage: retries COMMAND [FILE…] [OPTION…]

            \(Syntax.table(rows + [("retries --version", "Show the version.")]))

            \(ReportInput.help)
            Exit codes: 0 fine, 1 a check, a repeated run or a new test failed, 2 usage or input error.
            retries COMMAND help shows the options of a command.

            """
    }
}

protocol Command {
    static var syntax: Syntax { get }

    static func run(_ arguments: Arguments, in context: CommandContext) throws -> ExitCode
}

enum ExitCode: Int32 {
    case fine = 0
    /// A limit of `retries check` is exceeded, or a run of `retries repeat` or a test of `retries new` failed.
    case checkFailed = 1
    /// The arguments, or the files that they name, cannot be used.
    case problem = 2
}

/// The reason why the arguments, or the files that they name, cannot be used.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The problem of an unknown word, which names a similar known one if there is one.
    static func unknown(_ kind: String, _ word: String, known: [String], see help: String) -> Problem {
        Problem("unknown \(kind) \(word)\(word.suggestion(from: known)) (\(help))")
    }
}

extension String {
    /// A text such as `; did you mean report?`; empty if none of `known` is near.
    func suggestion(from known: [String]) -> String {
        nearest(to: known).map { "; did you mean \($0)?" } ?? ""
    }
}
