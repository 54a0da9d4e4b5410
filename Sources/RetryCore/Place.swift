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

/// Where a call stands in the source, as the caller's test framework tells it: a section that passes makes no text of it.
package enum CallSite: Sendable {
    case xctest(StaticString, UInt)
    case testing(String, Int)

    package var place: Place {
        switch self {
        case .xctest(let file, let line): Place(file: "\(file)", line: Int(clamping: line))
        case .testing(let file, let line): Place(file: file, line: line)
        }
    }

    /// Whether two are the same call, or the same line at least.
    func isSame(as other: CallSite) -> Bool {
        switch (self, other) {
        case (.xctest(let file, let line), .xctest(let otherFile, let otherLine)):
            line == otherLine && file.isSame(as: otherFile)
        case (.testing(let file, let line), .testing(let otherFile, let otherLine)):
            line == otherLine && file == otherFile
        default: false
        }
    }
}

extension StaticString {
    /// Whether two are the same literal; compared by what they say only where they are no pointers.
    fileprivate func isSame(as other: StaticString) -> Bool {
        guard hasPointerRepresentation, other.hasPointerRepresentation else { return "\(self)" == "\(other)" }
        return utf8Start == other.utf8Start
    }
}
