import Foundation

/// What an app knows about the run it is in, read from its arguments before anything else starts.
///
/// Every option is a property of the context, with the value that the arguments give it, or its default:
///
/// ```swift
/// let context = try AutomationContext<OnboardingOptions>()
/// if context.skipOnboarding { try settings.markOnboardingSeen() }
/// ```
///
/// A context never changes: what follows from it is done by methods that say so.
@dynamicMemberLookup
public struct AutomationContext<Options: LaunchOptions>: Sendable {
    /// The options, as read.
    public let options: Options
    /// The arguments that are none of these options, in their order. The first is the program's path, as in
    /// `CommandLine.arguments`.
    public let remainingArguments: [String]
    /// The directory that the test gave this run for whatever the app keeps, or `nil` if no test launched the app.
    public let stateDirectory: URL?
    /// The socket on which the test listens for checkpoints.
    let socketPath: String?

    /// Reads the arguments.
    ///
    /// - Throws: ``LaunchOptionsError`` with every problem there is, not the first alone. Arguments meant for
    ///   others are not a problem.
    public init(arguments: [String] = CommandLine.arguments) throws {
        let options = Options()
        let reserved = ReservedOptions()
        let declared = options.declarations + reserved.declarations
        let read = LaunchArguments(arguments, declared: declared)
        let problems = options.undeclared + LaunchOptionsError.Problem.inDeclarations(declared) + read.problems
        guard problems.isEmpty else { throw LaunchOptionsError(problems: problems) }
        self.options = options
        remainingArguments = read.remaining
        stateDirectory = reserved.automationState.map { URL(fileURLWithPath: $0, isDirectory: true) }
        socketPath = reserved.automationSocket
    }

    /// The value of an option.
    public subscript<Value>(dynamicMember option: KeyPath<Options, Value>) -> Value {
        options[keyPath: option]
    }

    /// Starts to send checkpoints and element states to the test that launched the app; does nothing if none did.
    ///
    /// An ``AppLauncher`` does this by itself; calling it again does no harm. In a build without checkpoints (see
    /// ``postCheckpoint(_:)``) nothing is opened.
    ///
    /// - Throws: ``AutomationSocketError`` if the socket that the test named cannot be opened.
    public func connectToTest() throws {
        #if DEBUG || APP_AUTOMATION
            guard let socketPath else { return }
            try TestConnection.carry(EventHub.shared, to: socketPath)
        #endif
    }
}

/// The options that `AutomationTesting` launches every app with.
package struct ReservedOptions: LaunchOptions {
    @LaunchOption package var automationSocket: String? = nil
    @LaunchOption package var automationState: String? = nil

    package init() {}
}
