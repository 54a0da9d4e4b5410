import Foundation
import Groundwork

/// All that an app knows about the run it is in, read before anything else starts.
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
    private let connection: TestConnection?

    /// Reads the arguments, and the variables that `AutomationTesting` sets for an app.
    ///
    /// - Throws: An ``AutomationError`` with every problem there is, not the first alone. Arguments meant for others are not
    ///   a problem.
    public init(
        arguments: [String] = CommandLine.arguments,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let options = Options()
        let read = LaunchArguments(arguments, declared: options.declarations)
        let inDeclarations = options.declarationProblems
        let problems = inDeclarations + read.problems
        guard problems.isEmpty else {
            let kind: AutomationError.Kind = inDeclarations.isEmpty ? .arguments : .options
            throw AutomationError(kind, problems.joined(separator: "\n"))
        }
        self.options = options
        remainingArguments = read.remaining
        stateDirectory = environment[AutomationVariable.state].map { URL(fileURLWithPath: $0, isDirectory: true) }
        connection = TestConnection(environment)
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
    /// An app that `launchApp` started ends when its test process is gone; a write to a pipe without a reader fails there,
    /// without the signal `SIGPIPE`. In an app that something else started, lines
    /// that the test sends arrive on standard input, as they do in the former.
    public func connectToTest() {
        #if DEBUG || APP_AUTOMATION
            connection?.make(for: .shared)
        #endif
    }
}

/// A list of arguments, sorted into those of declared options, whose values are read, and others'.
struct LaunchArguments {
    /// All arguments that are not of declared options, in their order.
    private(set) var remaining: [String] = []
    private(set) var problems: [String] = []
    private var given: Set<String> = []

    /// Reads arguments.
    ///
    /// An argument with a declared name is an option. One whose name differs from a declared name by a typing error is a
    /// problem. All others belong to other readers (Xcode, the system, the app's own parser), as does everything after `--`.
    init(_ arguments: [String], declared: [LaunchOptionDeclaration]) {
        let options = Dictionary(declared.map { ($0.name, $0.option) }, uniquingKeysWith: { first, _ in first })
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            // By bytes: a combining mark at the start of a value would make one character of itself and the sign before it.
            guard argument.utf8.first == UInt8(ascii: "-"), argument != "--" else {
                remaining.append(argument)
                if argument == "--" {
                    remaining += rest
                    rest = []
                }
                continue
            }
            let parts = argument.utf8.dropFirst()
                .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            let name = parts[0]
            guard let option = options[name] else {
                if let meant = name.nearest(to: declared.map(\.name)) {
                    problems.append("launch option \(argument) is unknown; -\(meant) is declared")
                } else {
                    remaining.append(argument)
                }
                continue
            }
            if parts.count == 2 {
                read(parts[1], as: option, named: name)
            } else if option.isFlag {
                // Xcode's schemes and UserDefaults write flags as `-name YES`.
                let word = rest.first.flatMap(Bool.fromLaunchText) == nil ? nil : rest.popFirst()
                read(word ?? "true", as: option, named: name)
            } else if let next = rest.first, !declared.contains(where: { next == "-" + $0.name }) {
                read(next, as: option, named: name)
                rest.removeFirst()
            } else {
                problems.append("launch option -\(name) has no value; allowed is \(option.allowed)")
            }
        }
    }

    private mutating func read(_ text: String, as option: any DeclaredOption, named name: String) {
        if !given.insert(name).inserted {
            problems.append("launch option -\(name) is given twice")
        } else if !option.read(text) {
            problems.append("launch option -\(name) cannot be \"\(text)\"; allowed is \(option.allowed)")
        }
    }
}
