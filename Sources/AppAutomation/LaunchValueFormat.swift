import Foundation

/// How the values of one type are written as an argument and read from one.
struct LaunchValueFormat {
    private(set) var isFlag = false
    /// What may stand in the argument, for messages.
    let allowed: String
    /// The value that the text stands for, or `nil` if it stands for none.
    let read: (String) -> Any?
    /// The text for a value, or `nil` for an optional's `nil`.
    let write: (Any) throws -> String?
}

extension LaunchValueFormat {
    init(_ type: Any.Type) {
        if let optional = type as? any OptionalLaunchValue.Type {
            let wrapped = LaunchValueFormat(optional.wrappedType)
            self = LaunchValueFormat(isFlag: wrapped.isFlag, allowed: wrapped.allowed, read: wrapped.read) {
                guard let value = ($0 as? any OptionalLaunchValue)?.wrappedValue else { return nil }
                return try wrapped.write(value)
            }
        } else if let plain = type as? any PlainLaunchValue.Type {
            self = .plain(plain)
        } else if let raw = type as? any RawRepresentable.Type {
            self = .raw(raw)
        } else if let codable = type as? any Codable.Type {
            self = .json(codable)
        } else {
            // No initialiser of LaunchOption lets such a type in, except as the raw value of another.
            self = LaunchValueFormat(allowed: "nothing", read: { _ in nil }, write: { "\($0)" })
        }
    }

    private static func plain<Value: PlainLaunchValue>(_ type: Value.Type) -> LaunchValueFormat {
        LaunchValueFormat(isFlag: type == Bool.self, allowed: Value.allowed) {
            Value(launchText: $0)
        } write: {
            ($0 as? Value)?.launchText
        }
    }

    private static func raw<Value: RawRepresentable>(_ type: Value.Type) -> LaunchValueFormat {
        let raw = LaunchValueFormat(Value.RawValue.self)
        var cases: [String] = []
        if let type = type as? any CaseIterable.Type { cases = rawValues(of: type) }
        return LaunchValueFormat(allowed: cases.isEmpty ? raw.allowed : "one of " + cases.joined(separator: ", ")) {
            (raw.read($0) as? Value.RawValue).flatMap(Value.init(rawValue:))
        } write: {
            try ($0 as? Value).flatMap { try raw.write($0.rawValue) }
        }
    }

    private static func rawValues<Value: CaseIterable>(of type: Value.Type) -> [String] {
        type.allCases.compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }
    }

    private static func json<Value: Codable>(_ type: Value.Type) -> LaunchValueFormat {
        LaunchValueFormat(allowed: "JSON for \(type)") { text in
            // The text that cannot be decoded is reported by the caller, together with what is allowed.
            try? JSONDecoder().decode(type, from: Data(text.utf8))
        } write: { value in
            guard let value = value as? Value else { return nil }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        }
    }
}

/// Lets an optional be told from what it wraps at run time.
private protocol OptionalLaunchValue {
    static var wrappedType: Any.Type { get }
    var wrappedValue: Any? { get }
}

extension Optional: OptionalLaunchValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedValue: Any? { self }
}
