/// One thing that went wrong in an attempt.
package struct Failure: Hashable, Codable, Sendable {
    package var message: String
    package var file: String?
    package var line: Int?
    package var kind: Kind
    /// Whether it only followed from an earlier flake, and says nothing of its own.
    package var isAftermath: Bool

    package enum Kind: String, Word, Sendable {
        /// An expectation that did not hold.
        case assertion
        /// An error that was thrown.
        case error
    }

    package init(message: String, file: String?, line: Int?, kind: Kind, isAftermath: Bool = false) {
        self.message = message
        self.file = file
        self.line = line
        self.kind = kind
        self.isAftermath = isAftermath
    }

    /// The message. XCTest ends one to which the test adds nothing with a dash; that is left out.
    package var words: String { message.hasSuffix(" - ") ? String(message.dropLast(3)) : message }

    private enum CodingKeys: String, CodingKey {
        case message, file, line, kind
        case isAftermath = "aftermath"
    }
}
