import Groundwork

/// All launch options of an app, declared once in code that the app and its tests share.
///
/// A test sets properties and takes ``arguments()``; the app reads them into an ``AutomationContext``. See
/// ``LaunchOption`` for an example.
public protocol LaunchOptions: Sendable {
    /// Makes options that all have their defaults.
    init()
}

extension LaunchOptions {
    /// Makes options that differ from the defaults in what the closure sets.
    ///
    /// ```swift
    /// let options = OnboardingOptions { $0.skipOnboarding = true }
    /// ```
    public init(_ change: (inout Self) throws -> Void) rethrows {
        self.init()
        try change(&self)
    }

    /// The arguments to launch the app with: one or two for each option that does not have its default.
    ///
    /// - Throws: An ``AutomationError`` that names every option that is declared wrongly or cannot be written such that the
    ///   app reads the same value.
    public func arguments() throws -> [String] {
        let declared = DeclaredOptions(of: self)
        var problems = declared.problems
        var arguments: [String] = []
        for (name, _, option) in declared.options {
            do {
                guard let text = try option.written() else { continue }
                // A flag's name alone would take a `no` that follows it for its value, whoever it was meant for.
                let isOneArgument = option.isFlag || text.utf8.first == UInt8(ascii: "-")
                arguments += isOneArgument ? ["-\(name)=\(text)"] : ["-\(name)", text]
            } catch {
                problems.append("launch option -\(name) cannot be written as an argument: \(error)")
            }
        }
        guard problems.isEmpty else { throw AutomationError(.options, problems.joined(separator: "\n")) }
        return arguments
    }
}

/// The options of a type, in the order of its properties, with their names on the command line.
struct DeclaredOptions {
    private(set) var options: [(name: String, property: String, option: any DeclaredOption)] = []
    /// A line for each property that is no option, each unusable name and each name used twice.
    private(set) var problems: [String] = []

    init(of values: some LaunchOptions) {
        for case (let label?, let value) in Mirror(reflecting: values).children {
            guard let option = value as? any DeclaredOption else {
                problems.append("property \(label) is no launch option; @LaunchOption before it makes it one")
                continue
            }
            let property = label.hasPrefix("_") ? String(label.dropFirst()) : label
            options.append((option.explicitName ?? property, property, option))
        }
        var seen: Set<String> = []
        for (name, _, _) in options where seen.insert(name).inserted {
            if name.isEmpty || name.hasPrefix("-") || name.contains(where: { $0 == "=" || $0.isWhitespace }) {
                let rule = "no leading dash, no = and no space is allowed"
                problems.append("launch option \"\(name)\" has a name that no argument can carry: \(rule)")
            }
            let properties = options.filter { $0.name == name }.map(\.property)
            if properties.count > 1 {
                problems.append("launch option -\(name) is declared twice, by \(properties.joined(separator: " and "))")
            }
        }
    }

    /// Reads the values of options from a list of arguments.
    ///
    /// An argument that looks like a misspelled option is a problem. All others, and everything after `--`, remain for other
    /// readers (Xcode, the system, the app's own parser).
    func read(_ arguments: [String]) -> (remaining: [String], problems: [String]) {
        var (remaining, problems): ([String], [String]) = ([], [])
        var given: Set<String> = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" { return (remaining + [argument] + rest, problems) }
            // By scalars, because a combining mark at the start of a value forms one character with the sign before it.
            var parts = argument.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0].popFirst() == "-" else {
                remaining.append(argument)
                continue
            }
            let name = String(parts[0])
            guard let option = options.first(where: { $0.name == name })?.option else {
                if let meant = name.nearest(to: options.map(\.name)) {
                    problems.append("launch option \(argument) is unknown; -\(meant) is declared")
                } else {
                    remaining.append(argument)
                }
                continue
            }
            var text = parts.count == 2 ? String(parts[1]) : nil
            if text == nil, option.isFlag {
                // Xcode's schemes and UserDefaults write flags as `-name YES`.
                text = rest.first.flatMap(Bool.fromLaunchText) == nil ? "true" : rest.popFirst()
            } else if text == nil, let next = rest.first, !options.contains(where: { next == "-" + $0.name }) {
                text = rest.popFirst()
            }
            if !given.insert(name).inserted {
                problems.append("launch option -\(name) is given twice")
            } else if text == nil {
                problems.append("launch option -\(name) has no value; allowed is \(option.allowed)")
            } else if let text, !option.read(text) {
                problems.append("launch option -\(name) cannot be \"\(text)\"; allowed is \(option.allowed)")
            }
        }
        return (remaining, problems)
    }
}
