import Groundwork

/// The `retries` command: shows, merges and judges reports.
package enum RetriesCommand {
    /// Does what the arguments of this process say, and ends it.
    package static func runAndExit() -> Never {
        exit(run(arguments: Array(CommandLine.arguments.dropFirst()), in: .process))
    }

    /// Does what `arguments` say.
    ///
    /// - Returns: The exit code: 0 fine, 1 a check failed, 2 usage or input error.
    static func run(arguments: [String], in context: CommandContext) -> Int32 {
        do {
            return try Invocation(arguments).run(in: context).rawValue
        } catch {
            context.say("\(error)")
            return ExitCode.problem.rawValue
        }
    }
}
