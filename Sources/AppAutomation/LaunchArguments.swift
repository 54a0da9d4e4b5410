import Groundwork

/// A list of arguments, sorted into those of declared options, whose values are read, and others'.
struct LaunchArguments {
    /// Everything that is not ours, in its order.
    private(set) var remaining: [String] = []
    private(set) var problems: [LaunchOptionsError.Problem] = []
    private var given: Set<String> = []

    /// Reads arguments.
    ///
    /// An argument with a declared name is ours. One whose name differs from a declared name by a typing error is a problem.
    /// All others belong to other readers (Xcode, the system, the app's own parser), as does everything after a `--`.
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
                    problems.append(.unknown(argument: argument, meant: meant))
                } else {
                    remaining.append(argument)
                }
                continue
            }
            if parts.count == 2 {
                read(parts[1], as: option, named: name)
            } else if option.format.isFlag {
                // Xcode's schemes and UserDefaults write flags as `-name YES`.
                let word = rest.first.flatMap(Bool.init(launchText:)) == nil ? nil : rest.popFirst()
                read(word ?? "true", as: option, named: name)
            } else if let next = rest.first, !declared.contains(where: { next == "-" + $0.name }) {
                read(next, as: option, named: name)
                rest.removeFirst()
            } else {
                problems.append(.missingValue(name: name, allowed: option.format.allowed))
            }
        }
    }

    private mutating func read(_ text: String, as option: any DeclaredOption, named name: String) {
        if !given.insert(name).inserted {
            problems.append(.givenTwice(name: name))
        } else if !option.read(text) {
            problems.append(.unreadable(name: name, text: text, allowed: option.format.allowed))
        }
    }

    /// The arguments that say `text` of an option, such that reading them gives `text` again.
    static func written(_ text: String, for declaration: LaunchOptionDeclaration) -> [String] {
        // A flag's name alone would take a `no` that follows it for its value, whoever it was meant for.
        declaration.option.format.isFlag || text.utf8.first == UInt8(ascii: "-")
            ? ["-\(declaration.name)=\(text)"] : ["-" + declaration.name, text]
    }
}
