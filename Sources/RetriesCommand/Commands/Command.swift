/// One of the commands of `retries`.
protocol Command {
    static var syntax: Syntax { get }

    init(_ arguments: Arguments) throws(Problem)

    func run(in context: CommandContext) throws -> ExitCode
}
