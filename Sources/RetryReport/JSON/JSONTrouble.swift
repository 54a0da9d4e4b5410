/// What is wrong with a JSON text, and at which key.
package struct JSONTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    /// The way to the value, such as `retries[3].attempts[0].duration`; empty for the text as a whole.
    package private(set) var path: String
    package let trouble: String

    init(_ trouble: String, at path: String = "") {
        self.path = path
        self.trouble = trouble
    }

    package var description: String {
        path.isEmpty ? trouble : "\(path) \(trouble)"
    }

    /// The same trouble, seen from the object that has the value under `key`.
    func under(key: String) -> JSONTrouble {
        JSONTrouble(trouble, at: path.isEmpty || path.hasPrefix("[") ? key + path : "\(key).\(path)")
    }

    /// The same trouble, seen from the array that has the value at `index`.
    func under(index: Int) -> JSONTrouble {
        JSONTrouble(trouble, at: path.isEmpty || path.hasPrefix("[") ? "[\(index)]\(path)" : "[\(index)].\(path)")
    }

    static func isMissing(_ key: String) -> JSONTrouble {
        JSONTrouble("is missing", at: key)
    }
}
