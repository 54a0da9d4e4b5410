/// One thing that went wrong in an attempt.
package struct Failure: Hashable, Codable, Sendable {
    package var message: String
    package var file: String?
    package var line: Int?
    package var kind: Kind
    /// Whether it only followed from an earlier flake, and says nothing of its own.
    package var isAftermath: Bool

    package enum Kind: String, ReportKeyword, Sendable {
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

    /// The message for people to read: without the dash at the end that XCTest leaves where the test adds nothing.
    package var displayMessage: String { message.hasSuffix(" - ") ? String(message.dropLast(3)) : message }

    private enum CodingKeys: String, CodingKey {
        case message, file, line, kind
        case isAftermath = "aftermath"
    }
}
