/// How the command ends.
enum ExitCode: Int32 {
    case fine = 0
    /// A limit of `retries check` is exceeded.
    case checkFailed = 1
    /// The arguments, or what they name, cannot be used.
    case problem = 2
}
