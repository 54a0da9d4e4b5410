/// How an app ended.
public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
    /// By itself, with this code.
    case exited(code: Int32)
    /// By this signal.
    case killed(signal: Int32)

    /// As it stands in a failure's message.
    public var description: String {
        switch self {
        case .exited(let code): "the app exited with code \(code)"
        case .killed(let signal): "the app was killed by signal \(signal)"
        }
    }
}

/// Why an app could not be launched, or was not ready in time.
struct AppLaunchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
