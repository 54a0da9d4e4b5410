import Foundation

/// All that an app knows about the run it is in, read before anything else starts.
///
/// Every option is a property of the context, with the value that the arguments give it, or its default:
///
/// ```swift
/// let context = try AutomationContext<OnboardingOptions>()
/// if context.skipOnboarding { try settings.markOnboardingSeen() }
/// ```
@dynamicMemberLookup
public struct AutomationContext<Options: LaunchOptions>: Sendable {
    /// The options, as read.
    public let options: Options
    /// The arguments that are none of these options, in their order. The first is the program's path, as in
    /// `CommandLine.arguments`.
    public let remainingArguments: [String]
    /// The directory for whatever the app keeps in this run; `nil` if no test launched it.
    public let stateDirectory: URL?
    private let environment: [String: String]

    /// Reads the arguments, and the variables that `AutomationTesting` sets for an app.
    ///
    /// - Throws: An ``AutomationError`` with every problem there is, not the first alone. Arguments meant for others are not
    ///   a problem.
    public init(
        arguments: [String] = CommandLine.arguments,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let options = Options()
        let declared = DeclaredOptions(of: options)
        let read = declared.read(arguments)
        let problems = declared.problems + read.problems
        guard problems.isEmpty else {
            throw AutomationError(declared.problems.isEmpty ? .arguments : .options, problems.joined(separator: "\n"))
        }
        self.options = options
        remainingArguments = read.remaining
        stateDirectory = environment[AutomationVariable.state].map { URL(fileURLWithPath: $0, isDirectory: true) }
        self.environment = environment
    }

    /// The value of an option.
    public subscript<Value>(dynamicMember option: KeyPath<Options, Value>) -> Value {
        options[keyPath: option]
    }

    /// Starts to send checkpoints and element states to the test of this app; does nothing if it has none.
    ///
    /// An ``AppLauncher`` does this by itself; calling it again has no effect. In a build without checkpoints (see
    /// ``postCheckpoint(_:)``) nothing is opened.
    ///
    /// An app that `launchApp` started ends when its test process is gone. Lines that the test sends arrive on standard input,
    /// also in an app that something else started.
    public func connectToTest() {
        #if DEBUG || APP_AUTOMATION
            TestConnection.make(environment)
        #endif
    }
}

/// A failure of an app's launch, of its connection to the test, or of its arguments or settings.
public struct AutomationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part of the library that an error comes from.
    public enum Kind: Hashable, Sendable {
        /// Launch options that are declared wrongly, or have a value that no argument can carry.
        case options
        /// Arguments that the app cannot read.
        case arguments
        /// A setting, or the file that holds settings.
        case settings
        /// The launch of an app, or the connection between it and its test.
        case launch
    }

    /// The part of the library that the error comes from.
    public let kind: Kind
    /// A line for each problem, with the subject, the cause and the values that are allowed.
    public let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
