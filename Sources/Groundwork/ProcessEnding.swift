/// How a process ended.
package enum ProcessEnding: Hashable, Sendable, CustomStringConvertible {
    case exitCode(Int32)
    case signal(Int32)

    /// - Parameter status: What `waitpid` tells of a process that has ended.
    package init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exitCode(status >> 8 & 0xFF) : .signal(signal)
    }

    package var description: String {
        switch self {
        case .exitCode(let code): "exit code \(code)"
        case .signal(let number): "signal \(number), \(String(cString: strsignal(number)))"
        }
    }
}
