/// A line in a source file.
package struct Place: Hashable, Sendable {
    package var file: String
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    package init(_ file: StaticString, _ line: UInt) {
        self.init(file: "\(file)", line: Int(clamping: line))
    }

    /// Whether a call at `call` can reach as far as this line.
    func isIn(callAt call: Place) -> Bool {
        file == call.file && line >= call.line
    }
}
