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
