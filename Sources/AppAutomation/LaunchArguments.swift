import Groundwork

/// What a list of arguments says of the options that are declared.
struct LaunchArguments {
    /// What was given for an option; `nil` text is a flag's name alone.
    struct Given {
        let name: String
        let text: String?
    }

    private(set) var given: [Given] = []
    /// Everything that is not ours, in its order.
    private(set) var foreign: [String] = []
    private(set) var troubles: [LaunchOptionsError.Trouble] = []

    /// Sorts arguments into ours and others'.
    ///
    /// Ours is what has a declared name. What is but a slip away from a declared name is an unknown option; whatever else
    /// there is belongs to somebody else (Xcode, the system, the app's own parser), and so does all after a `--`.
    init(_ arguments: [String], declared: [LaunchOptionDeclaration]) {
        let options = Dictionary(declared.map { ($0.name, $0.option) }, uniquingKeysWith: { first, _ in first })
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "--" else {
                foreign.append(argument)
                if argument == "--" {
                    foreign += rest
                    rest = []
                }
                continue
            }
            let parts = argument.dropFirst().split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard let option = options[name] else {
                if let meant = name.nearest(to: declared.map(\.name)) {
                    troubles.append(.unknown(argument: argument, meant: meant))
                } else {
                    foreign.append(argument)
                }
                continue
            }
            if parts.count == 2 {
                add(name, String(parts[1]))
            } else if option.isFlag {
                // Xcode's schemes and UserDefaults write flags as `-name YES`.
                let word = rest.first.flatMap(Bool.init(launchText:)) == nil ? nil : rest.popFirst()
                add(name, word)
            } else if let next = rest.first, !(next.hasPrefix("-") && options[String(next.dropFirst())] != nil) {
                add(name, next)
                rest.removeFirst()
            } else {
                troubles.append(.missingValue(name: name, allowed: option.allowed))
            }
        }
    }

    private mutating func add(_ name: String, _ text: String?) {
        if given.contains(where: { $0.name == name }) {
            troubles.append(.givenTwice(name: name))
        } else {
            given.append(Given(name: name, text: text))
        }
    }

    /// The arguments that say `text` of an option, such that reading them gives `text` again.
    static func written(_ text: String, for declaration: LaunchOptionDeclaration) -> [String] {
        if declaration.option.isFlag {
            return text == "true" ? ["-" + declaration.name] : ["-\(declaration.name)=\(text)"]
        }
        return text.hasPrefix("-") ? ["-\(declaration.name)=\(text)"] : ["-" + declaration.name, text]
    }
}
