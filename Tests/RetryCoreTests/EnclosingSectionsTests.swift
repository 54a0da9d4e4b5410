import RetryCore
import Testing

/// Which sections a failure is inside of, as a table. The sections are numbered in the order in which they were opened.
@Suite("Enclosing sections")
struct EnclosingSectionsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var sections: [UInt64]
        var enclosing: EnclosingSections

        init(_ description: String, _ sections: [UInt64], _ change: (inout EnclosingSections) -> Void) {
            testDescription = description
            self.sections = sections
            enclosing = EnclosingSections()
            change(&enclosing)
        }
    }

    static let rows = [
        Row("in a task of no section", []) { ($0.isInTask, $0.open, $0.openInOwnFlow) = (true, [1], [1]) },
        Row("in a task of two", [2, 1]) { ($0.isInTask, $0.around, $0.open) = (true, [2, 1], [1, 2, 3]) },
        Row("in a task that has outlived one", [1]) { ($0.isInTask, $0.around, $0.open) = (true, [2, 1], [1]) },
        Row("in the test's own task", [1]) {
            ($0.isInTask, $0.isInOwnFlow, $0.around, $0.open, $0.openInOwnFlow) = (true, true, [1], [1, 2], [1])
        },
        Row("on the test's own thread, outside", []) {
            ($0.isInOwnFlow, $0.open) = (true, [1])
        },
        Row("on the test's own thread, in a section", [1]) {
            ($0.isInOwnFlow, $0.around, $0.open, $0.openInOwnFlow) = (true, [1], [1, 2], [1])
        },
        Row("elsewhere, while the test has two open", [3, 1]) { ($0.open, $0.openInOwnFlow) = ([1, 2, 3], [1, 3]) },
        Row("elsewhere, while only others have some open", []) { $0.open = [1, 2] },
        Row("elsewhere, in a section of that thread", [2]) { ($0.around, $0.open) = ([2], [1, 2]) },
        Row("elsewhere, in one of that thread and one of the test", [2, 1]) {
            ($0.around, $0.open, $0.openInOwnFlow) = ([2], [1, 2], [1])
        },
    ]

    @Test("a failure is inside of what the rules say", arguments: rows)
    func sections(row: Row) {
        #expect(row.enclosing.sections == row.sections)
    }
}
