import Foundation

/// Why a text is no report: the way to the value, such as `retries[3].attempts[0].duration`, and what was expected there.
package struct UnreadableReport: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ error: any Error, in json: [UInt8]) {
        description =
            switch error {
            case DecodingError.keyNotFound(let key, let context):
                "\((context.codingPath + [key]).path)is missing"
            case DecodingError.valueNotFound(let type, let context):
                "\(context.codingPath.path)is null, not \(Self.words(for: type))"
            case DecodingError.typeMismatch(let type, let context):
                "\(context.codingPath.path)is not \(Self.words(for: type))"
            case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
                "\(context.codingPath.path)\(context.debugDescription)"
            default:
                "is not JSON: \(Self.problem(of: json) ?? "\(error)")"
            }
    }

    static func words(for type: any Any.Type) -> String {
        switch "\(type)" {
        case "Bool": "a boolean"
        case "Int", "Double": "a number"
        case let name where name.hasPrefix("Array<"): "an array"
        case let name where name.hasPrefix("Dictionary<"): "an object"
        default: "a string"
        }
    }

    /// Where the text stops being JSON. Only Foundation's `JSONSerialization` says so.
    private static func problem(of json: [UInt8]) -> String? {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(json))
            return nil
        } catch {
            return (error as NSError).userInfo["NSDebugDescription"] as? String
        }
    }
}

extension [any CodingKey] {
    /// Such as `retries[3].name `, with the space before what is said of it; empty for the text as a whole.
    fileprivate var path: String {
        let path = reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
        return path.isEmpty ? "" : "\(path) "
    }
}
