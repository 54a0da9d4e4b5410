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
        var problems = declarationProblems
        var arguments: [String] = []
        for declaration in declarations {
            do {
                guard let text = try declaration.option.written() else { continue }
                // A flag's name alone would take a `no` that follows it for its value, whoever it was meant for.
                arguments +=
                    declaration.option.isFlag || text.utf8.first == UInt8(ascii: "-")
                    ? ["-\(declaration.name)=\(text)"] : ["-" + declaration.name, text]
            } catch {
                problems.append("launch option -\(declaration.name) cannot be written as an argument: \(error)")
            }
        }
        guard problems.isEmpty else { throw AutomationError(.options, problems.joined(separator: "\n")) }
        return arguments
    }

    /// The options among the stored properties, in the order in which they are declared.
    var declarations: [LaunchOptionDeclaration] {
        Mirror(reflecting: self).children.compactMap { label, value in
            guard let label, let option = value as? any DeclaredOption else { return nil }
            let property = label.hasPrefix("_") ? String(label.dropFirst()) : label
            return LaunchOptionDeclaration(name: option.explicitName ?? property, property: property, option: option)
        }
    }

    /// A line for each stored property that is no option, each unusable name and each name that two properties have.
    var declarationProblems: [String] {
        var problems = Mirror(reflecting: self).children.compactMap { label, value -> String? in
            guard let label, !(value is any DeclaredOption) else { return nil }
            return "property \(label) is no launch option; @LaunchOption before it makes it one"
        }
        var properties: [String: [String]] = [:]
        for declaration in declarations { properties[declaration.name, default: []].append(declaration.property) }
        for declaration in declarations {
            let name = declaration.name
            guard let all = properties.removeValue(forKey: name) else { continue }
            let scalars = name.unicodeScalars
            if [nil, "-"].contains(scalars.first)
                || scalars.contains(where: { $0 == "=" || $0.properties.isWhitespace })
            {
                problems.append(
                    "launch option \"\(name)\" has a name that no argument can carry: no leading dash, no = and no space "
                        + "is allowed"
                )
            }
            if all.count > 1 {
                problems.append("launch option -\(name) is declared twice, by \(all.joined(separator: " and "))")
            }
        }
        return problems
    }
}

/// An option, and its names on the command line and in the source.
struct LaunchOptionDeclaration {
    let name: String
    let property: String
    let option: any DeclaredOption
}

/// One launch option of an app: its name, its type and its default, said once.
///
/// ```swift
/// struct OnboardingOptions: LaunchOptions {
///     @LaunchOption var skipOnboarding = false                    // -skipOnboarding
///     @LaunchOption("page-size") var pageSize = 20                // -page-size 50
///     @LaunchOption var apiEndpoint: URL? = nil                   // -apiEndpoint https://staging.example.com
/// }
/// ```
///
/// The name on the command line is the property's, unless another is given. A value is a ``LaunchValue``, a
/// `RawRepresentable` (written as its raw value), any other `Codable` (written as JSON), or an optional of these.
///
/// A `Bool` is a flag: its name alone means `true`; `-name=false`, or `-name NO` as Xcode writes it, means `false`. So a bare
/// flag takes a `yes`, `no`, `true` or `false` that follows it as its value, even if it was meant for another reader;
/// ``LaunchOptions/arguments()`` writes `-name=true`. Every other option takes the next argument, or what follows `=`.
@propertyWrapper
public struct LaunchOption<Value: Sendable>: Sendable {
    /// Shared by copies until one of them is written to; reading arguments writes to it as well.
    private var storage: Locked<Value>
    private let defaultValue: Value
    private let format: LaunchFormat<Value>
    /// The name on the command line, if it is not the property's.
    let explicitName: String?

    /// The value read from the arguments, or the default.
    public var wrappedValue: Value {
        get { storage.withLock { $0 } }
        set {
            if isKnownUniquelyReferenced(&storage) {
                storage.withLock { $0 = newValue }
            } else {
                storage = Locked(newValue)
            }
        }
    }

    private init(_ value: Value, _ name: String?, _ format: LaunchFormat<Value>) {
        storage = Locked(value)
        defaultValue = value
        self.format = format
        explicitName = name
    }

    /// Declares an option of a type that has a form as an argument.
    public init(wrappedValue: Value, _ name: String? = nil) where Value: LaunchValue {
        self.init(wrappedValue, name, .own())
    }

    /// Declares an option whose value is written as its raw value.
    public init(wrappedValue: Value, _ name: String? = nil)
    where Value: RawRepresentable, Value.RawValue: LaunchValue {
        self.init(wrappedValue, name, .raw())
    }

    /// Declares an option whose value is written as its raw value, or not at all.
    public init<Wrapped: RawRepresentable>(wrappedValue: Value, _ name: String? = nil)
    where Value == Wrapped?, Wrapped.RawValue: LaunchValue {
        self.init(wrappedValue, name, .optional(.raw()))
    }

    /// Declares an option whose value is written as JSON.
    @_disfavoredOverload
    public init(wrappedValue: Value, _ name: String? = nil) where Value: Codable {
        self.init(wrappedValue, name, .json())
    }
}

/// An option as reading and writing arguments sees it, whatever the type of its value.
protocol DeclaredOption {
    /// The name on the command line, if it is not the property's.
    var explicitName: String? { get }
    /// True for an option that needs no value.
    var isFlag: Bool { get }
    /// The texts that can be read.
    var allowed: String { get }
    /// Reads a value; returns false if the text is not allowed.
    func read(_ text: String) -> Bool
    /// Returns the value as text, or `nil` if it is the default and need not be written.
    func written() throws -> String?
}

extension LaunchOption: DeclaredOption {
    var isFlag: Bool { Value.self == Bool.self || Value.self == Bool?.self }
    var allowed: String { format.allowed }

    func read(_ text: String) -> Bool {
        guard let value = format.read(text) else { return false }
        storage.withLock { $0 = value }
        return true
    }

    func written() throws -> String? {
        let text = try format.write(wrappedValue)
        let defaultText = try format.write(defaultValue)
        // By bytes: Swift takes two ways to write one letter for equal, but the app might not.
        guard text.map({ Array($0.utf8) }) != defaultText.map({ Array($0.utf8) }) else { return nil }
        guard let text else { throw AutomationError(.options, "nil, while the default is not nil") }
        guard !text.utf8.contains(0) else { throw AutomationError(.options, "a NUL character ends every argument") }
        guard format.read(text) != nil else {
            throw AutomationError(.options, "the app would not read \"\(text)\"; allowed is \(allowed)")
        }
        return text
    }
}
