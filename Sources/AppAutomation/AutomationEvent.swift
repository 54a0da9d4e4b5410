import Groundwork

/// What goes from an app to its tests.
package enum AutomationEvent: Hashable, Sendable {
    case checkpoint(Checkpoint)
    case element(ElementIdentifier, ElementState)
    /// The answer to a test that asked how far the app is: all that the app posted before comes before it. The test asks
    /// with the same line.
    case fence(UInt64)
    /// Nothing comes any more, for this reason. Posted on the test's side alone, never sent.
    case end(String)
}

extension AutomationEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .checkpoint(let checkpoint): "checkpoint \"\(checkpoint)\""
        case .element(let identifier, let state): "element \"\(identifier)\" \(state.rawValue)"
        case .fence(let number): "fence \(number)"
        case .end(let reason): reason
        }
    }
}

/// How an event goes over a socket: one line, `checkpoint <name>`, `element <state> <identifier>` or `fence <number>`.
///
/// Lines are put together and taken apart by bytes. By characters, a name that begins with a combining mark would swallow
/// the space before it.
extension AutomationEvent {
    package var line: [UInt8]? {
        switch self {
        case .checkpoint(let checkpoint): Self.line("checkpoint ", checkpoint.rawValue)
        case .element(let identifier, let state): Self.line("element \(state.rawValue) ", identifier.rawValue)
        case .fence(let number): Self.line("fence ", "\(number)")
        case .end: nil
        }
    }

    /// Reads a line, without its end; `nil` if it is none of ours.
    package init?(line: some Collection<UInt8>) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let rest = parts[1]
        switch String(decoding: parts[0], as: UTF8.self) {
        case "checkpoint":
            self = .checkpoint(Checkpoint(Self.unescaped(rest)))
        case "element":
            let parts = rest.split(separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let state = ElementState(rawValue: String(decoding: parts[0], as: UTF8.self))
            else { return nil }
            self = .element(ElementIdentifier(Self.unescaped(parts[1])), state)
        case "fence":
            guard let number = UInt64(String(decoding: rest, as: UTF8.self)) else { return nil }
            self = .fence(number)
        default:
            return nil
        }
    }

    private static func line(_ start: String, _ name: String) -> [UInt8] {
        var line = Array(start.utf8)
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): line += Array("\\\\".utf8)
            case UInt8(ascii: "\n"): line += Array("\\n".utf8)
            default: line.append(byte)
            }
        }
        return line + [UInt8(ascii: "\n")]
    }

    private static func unescaped(_ bytes: some Sequence<UInt8>) -> String {
        var name: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                name.append(isEscaped && byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            }
        }
        return String(decoding: name, as: UTF8.self)
    }
}
