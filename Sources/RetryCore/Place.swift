import RetryReport

/// A line in a source file.
package struct Place: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// Whether this line may lie inside the call that starts at `call`.
    func isIn(callAt call: Place) -> Bool {
        file == call.file && line >= call.line
    }
}

extension Failure {
    /// A failure of ours.
    package init(_ message: String, at place: Place) {
        self.init(message: message, file: place.file, line: place.line, kind: .assertion)
    }

    /// An error of which no place is known.
    package init(unplaced message: String) {
        self.init(message: message, file: nil, line: nil, kind: .error)
    }
}
