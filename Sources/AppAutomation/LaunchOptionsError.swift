/// Everything that is wrong with an app's launch options or with the arguments it was launched with.
public struct LaunchOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, in the order in which they were found; never empty.
    public let problems: [Problem]

    /// One problem.
    public enum Problem: Hashable, Sendable {
        /// Two properties declare an option of one name.
        case declaredTwice(name: String, properties: [String])
        /// A name that no argument can carry: empty, or with a dash at its start, an equals sign or white space in it.
        case badName(String)
        /// A stored property is not marked as an option, so that its value would never come to the app.
        case notAnOption(property: String)
        /// The arguments hold the option more than once.
        case givenTwice(name: String)
        /// Nothing follows the name of an option that needs a value.
        case missingValue(name: String, allowed: String)
        /// The text given is not a value of the option's type.
        case unreadable(name: String, text: String, allowed: String)
        /// Nobody declares the option, but its name is a typing error away from one that is.
        case unknown(argument: String, meant: String)
        /// The option's value has no form as an argument.
        case unwritable(name: String, why: String)
    }

    /// One line for each problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

extension LaunchOptionsError.Problem: CustomStringConvertible {
    /// What was read, and what is allowed.
    public var description: String {
        switch self {
        case .declaredTwice(let name, let properties):
            "launch option -\(name) is declared twice, by \(properties.joined(separator: " and "))"
        case .badName(let name):
            "launch option \"\(name)\" has a name that no argument can carry: no leading dash, no = and no space is allowed"
        case .notAnOption(let property):
            "property \(property) is no launch option; @LaunchOption before it makes it one"
        case .givenTwice(let name):
            "launch option -\(name) is given twice"
        case .missingValue(let name, let allowed):
            "launch option -\(name) has no value; allowed is \(allowed)"
        case .unreadable(let name, let text, let allowed):
            "launch option -\(name) cannot be \"\(text)\"; allowed is \(allowed)"
        case .unknown(let argument, let meant):
            "launch option \(argument) is unknown; -\(meant) is declared"
        case .unwritable(let name, let why):
            "launch option -\(name) cannot be written as an argument: \(why)"
        }
    }

    /// The problems in the declarations themselves.
    static func inDeclarations(_ declarations: [LaunchOptionDeclaration]) -> [Self] {
        let byName = Dictionary(grouping: declarations, by: \.name)
        let names = declarations.map(\.name).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return names.flatMap { name -> [Self] in
            let properties = byName[name, default: []].map(\.property)
            let scalars = name.unicodeScalars
            let isBad =
                [nil, "-"].contains(scalars.first) || scalars.contains { $0 == "=" || $0.properties.isWhitespace }
            return (isBad ? [.badName(name)] : [])
                + (properties.count > 1 ? [.declaredTwice(name: name, properties: properties)] : [])
        }
    }
}
