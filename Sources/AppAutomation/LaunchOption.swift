import Groundwork

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
/// The name on the command line is the property's, unless another is given. A value can be a `Bool`, an `Int`, a
/// `Double`, a `String`, a `URL`, a `RawRepresentable` of one of these (written as its raw value), any other `Codable`
/// (written as JSON), or an optional of a `Codable` one.
///
/// A `Bool` is a flag: its name alone means `true`; `-name=false`, or `-name NO` as Xcode writes it, means `false`. So
/// a bare flag takes a `yes`, `no`, `true` or `false` that follows it as its value, even if it was meant for another
/// reader; ``LaunchOptions/arguments()`` writes `-name=true`. Every other option takes the next argument, or what follows
/// `=`.
@propertyWrapper
public struct LaunchOption<Value: Sendable>: Sendable {
    /// Shared by copies until one of them is written to; `LaunchOptions` writes to it while it reads arguments.
    private var storage: Locked<Value>
    private let defaultValue: Value
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

    /// Declares an option with a value of one of the types named above, or any other that can be coded.
    public init(wrappedValue: Value, _ name: String? = nil) where Value: Codable {
        self.init(default: wrappedValue, name: name)
    }

    /// Declares an option whose value is written as its raw value.
    public init(wrappedValue: Value, _ name: String? = nil) where Value: RawRepresentable, Value.RawValue: Codable {
        self.init(default: wrappedValue, name: name)
    }

    /// Declares an option whose value is written as its raw value, though it can be coded otherwise.
    public init(wrappedValue: Value, _ name: String? = nil)
    where Value: RawRepresentable & Codable, Value.RawValue: Codable {
        self.init(default: wrappedValue, name: name)
    }

    private init(default value: Value, name: String?) {
        storage = Locked(value)
        defaultValue = value
        explicitName = name
    }
}

/// What reading and writing arguments needs to know of an option, whatever the type of its value.
protocol DeclaredOption {
    /// The name on the command line, if it is not the property's.
    var explicitName: String? { get }
    var format: LaunchValueFormat { get }
    /// Reads a value. False if the text is none of what is allowed.
    func read(_ text: String) -> Bool
    /// The value as text, or `nil` if it is the default and need not be written.
    func written() throws -> String?
}

extension LaunchOption: DeclaredOption {
    var format: LaunchValueFormat { LaunchValueFormat(Value.self) }

    func read(_ text: String) -> Bool {
        // In two steps: no value at all could be cast to an optional that is nil.
        guard let any = format.read(text), let value = any as? Value else { return false }
        storage.withLock { $0 = value }
        return true
    }

    func written() throws -> String? {
        let text = try format.write(wrappedValue)
        let defaultText = try format.write(defaultValue)
        // By bytes: Swift takes two ways to write one letter for equal, but the app might not.
        guard text.map({ Array($0.utf8) }) != defaultText.map({ Array($0.utf8) }) else { return nil }
        guard let text else { throw NotWritable(description: "nil, while the default is not nil") }
        guard !text.utf8.contains(0) else { throw NotWritable(description: "a NUL character ends every argument") }
        guard format.read(text) != nil else {
            throw NotWritable(description: "the app would not read \"\(text)\"; allowed is \(format.allowed)")
        }
        return text
    }

    private struct NotWritable: Error, CustomStringConvertible {
        let description: String
    }
}
