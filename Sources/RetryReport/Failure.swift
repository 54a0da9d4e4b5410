/// One thing that went wrong in an attempt.
package struct Failure: Hashable, Codable, Sendable, Located {
    package var message: String
    package var file: String?
    package var line: Int?
    package var kind: Kind
    /// Marks a failure that only followed from an earlier flake, and says nothing of its own.
    package var isAftermath: Bool
    /// The test framework's own message, where ``message`` has other words. A mark may match either; the report has only one.
    package var frameworkMessage: String?

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

    /// The message for people to read. It lacks the dash at the end that XCTest leaves where the test adds nothing.
    package var displayMessage: String { message.hasSuffix(" - ") ? String(message.dropLast(3)) : message }

    private enum CodingKeys: String, CodingKey {
        case message, file, line, kind
        case isAftermath = "aftermath"
    }
}

// MARK: - Places

/// Anything with a line of the source.
package protocol Located {
    var file: String? { get }
    var line: Int? { get }
}

extension Located {
    /// The file and the line as every tool writes them.
    package var place: String? {
        guard let file else { return nil }
        return line.map { "\(file):\($0)" } ?? file
    }

    /// The place as the end of a sentence: `, at Tests/Login.swift:12`; empty if it is not known.
    package var atPlace: String { place.map { ", at \($0)" } ?? "" }
}
