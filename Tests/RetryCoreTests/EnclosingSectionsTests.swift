import Groundwork
import Testing

@testable import RetryCore

/// Which sections a failure is inside of, as a table. The sections are numbered in the order in which they were opened.
@Suite("Enclosing sections")
struct EnclosingSectionsTests {
    enum Place: Sendable {
        case ownTask, task, ownThread, elsewhere
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var place: Place
        /// Those of the task or of the thread.
        var current: [UInt64] = []
        var open: [UInt64]
        /// Those that the test's own flow has opened.
        var own: [UInt64] = []
        var enclosing: [UInt64]
    }

    static let rows = [
        Row(testDescription: "in a task of no section", place: .task, open: [1], own: [1], enclosing: []),
        Row(testDescription: "in a task of two", place: .task, current: [2, 1], open: [1, 2, 3], enclosing: [2, 1]),
        Row(testDescription: "in a task that outlived one", place: .task, current: [2, 1], open: [1], enclosing: [1]),
        Row(testDescription: "in its own task", place: .ownTask, current: [1], open: [1, 2], own: [1], enclosing: [1]),
        Row(testDescription: "on its own thread, outside", place: .ownThread, open: [1], enclosing: []),
        Row(
            testDescription: "on its own thread, in a section",
            place: .ownThread,
            current: [1],
            open: [1, 2],
            own: [1],
            enclosing: [1]
        ),
        Row(
            testDescription: "elsewhere, while the test has two open",
            place: .elsewhere,
            open: [1, 2, 3],
            own: [1, 3],
            enclosing: [3, 1]
        ),
        Row(testDescription: "elsewhere, while only others have some", place: .elsewhere, open: [1, 2], enclosing: []),
        Row(
            testDescription: "elsewhere, in a section of that thread",
            place: .elsewhere,
            current: [2],
            open: [1, 2],
            enclosing: [2]
        ),
        Row(
            testDescription: "elsewhere, in one of that thread and one of the test",
            place: .elsewhere,
            current: [2],
            open: [1, 2],
            own: [1],
            enclosing: [2, 1]
        ),
    ]

    @Test("a failure is inside of what the rules say", arguments: rows)
    func sections(row: Row) throws {
        func task(_ address: Int) throws -> TaskOrThread { .task(try #require(UnsafeRawPointer(bitPattern: address))) }
        var state = Attempt.State()
        state.ownFlow = row.place == .ownTask ? try task(1) : .thread(pthread_self())
        state.openSections = row.open.map { OpenSection(id: $0, entered: 0, isInOwnFlow: row.own.contains($0)) }
        var other = pthread_self()
        withUnsafeMutableBytes(of: &other) { $0[0] ^= 1 }
        let flow: TaskOrThread =
            switch row.place {
            case .ownTask: try task(1)
            case .task: try task(2)
            case .ownThread: .thread(pthread_self())
            case .elsewhere: .thread(other)
            }
        #expect(state.enclosingSections(of: row.current, in: flow).map(\.id) == row.enclosing)
    }
}
