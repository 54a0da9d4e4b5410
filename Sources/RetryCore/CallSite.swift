/// The ``Place`` of a call, as the call's test framework gives it.
///
/// It becomes a place, which takes a `String`, only when something is reported: a section that passes should not pay for it.
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
