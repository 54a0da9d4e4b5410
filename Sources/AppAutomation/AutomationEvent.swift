/// Something that an app told its tests.
package enum AutomationEvent: Hashable, Sendable {
    case checkpoint(Checkpoint)
    case element(ElementIdentifier, ElementState)
    /// Nothing comes any more, for this reason. Said on the test's side of an app's hub, never sent.
    case end(String)
}

extension AutomationEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .checkpoint(let checkpoint): "checkpoint \"\(checkpoint)\""
        case .element(let identifier, let state): "element \"\(identifier)\" \(state.rawValue)"
        case .end(let reason): reason
        }
    }
}

/// How an event goes over a socket: one line, `checkpoint <name>` or `element <state> <identifier>`.
extension AutomationEvent {
    package var line: String? {
        switch self {
        case .checkpoint(let checkpoint): "checkpoint \(Self.escaped(checkpoint.rawValue))\n"
        case .element(let identifier, let state): "element \(state.rawValue) \(Self.escaped(identifier.rawValue))\n"
        case .end: nil
        }
    }

    /// Reads a line, without its end; `nil` if it is none of ours.
    package init?(line: String) {
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let kind = parts.first, let rest = parts.dropFirst().first else { return nil }
        switch kind {
        case "checkpoint":
            self = .checkpoint(Checkpoint(Self.unescaped(rest)))
        case "element":
            let parts = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let state = ElementState(rawValue: String(parts[0])) else { return nil }
            self = .element(ElementIdentifier(Self.unescaped(parts[1])), state)
        default:
            return nil
        }
    }

    private static func escaped(_ text: String) -> String {
        // By scalars: a line feed after a carriage return is one Character with it.
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    private static func unescaped(_ text: Substring) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                result.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
