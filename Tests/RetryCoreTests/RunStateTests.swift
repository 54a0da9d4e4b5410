import RetryCore
import Testing

/// What is left of a run, as tables: `All tests` (0) holds `bundle` (1), which holds `A` (2) with tests 0 to 2 and `B` (3) with
/// tests 3 and 4; 4 stands for the suite of retries, 5 for that of one class's.
@Suite("State of a run")
struct RunStateTests {
    /// - Parameters:
    ///   - ended: How many of the listed tests have ended.
    ///   - attempt: The attempt that runs.
    ///   - suite: The suite that is open.
    ///   - retries: The tests that retries are queued of, and whether they have ended.
    static func state(
        ended: Int,
        attempt: Int = -1,
        suite: Int,
        retries: [(test: Int, suite: Int, hasEnded: Bool)] = [],
        charges: [RunState.Charge] = []
    ) -> RunState {
        var attempts = [2, 2, 2, 3, 3].enumerated().map { RunState.Attempt(test: $0.offset, suite: $0.element) }
        attempts += retries.map { RunState.Attempt(test: $0.test, suite: $0.suite, retryCount: 1) }
        for index in attempts.indices {
            attempts[index].hasEnded = index < 5 ? index < ended : retries[index - 5].hasEnded
            attempts[index].totals.executions = attempts[index].hasEnded ? 1 : 0
        }
        var position = RunState.Position()
        (position.attempt, position.suite) = (attempt, suite)
        position.lastSuite = suite >= 4 ? 3 : max(suite, ended >= 3 && suite != 2 ? 2 : 0)
        return RunState(parents: [-1, 0, 1, 1], attempts: attempts, position: position, charges: charges)
    }

    static let answers: [(String, RunState, RunState.Charge)] = [
        ("a test", state(ended: 1, attempt: 1, suite: 2), .attempt(1)),
        ("a class's setUp", state(ended: 0, suite: 2), .attempt(0)),
        ("between two tests", state(ended: 1, suite: 2), .attempt(1)),
        ("a class's tearDown", state(ended: 3, suite: 2), .suite(2)),
        ("between two classes", state(ended: 3, suite: 1), .suite(1)),
        ("the setUp of the second class", state(ended: 3, suite: 3), .attempt(3)),
        ("before the first class", state(ended: 0, suite: 0), .suite(0)),
        ("a retry", state(ended: 5, attempt: 5, suite: 5, retries: [(0, 5, false)]), .attempt(5)),
        ("a class's setUp before a retry", state(ended: 5, suite: 5, retries: [(0, 5, false)]), .attempt(5)),
        (
            "a class's tearDown after a retry", state(ended: 5, suite: 5, retries: [(0, 5, true), (3, 4, false)]),
            .suite(5)
        ),
        ("before a round", state(ended: 5, suite: 4, retries: [(0, 4, true), (3, 4, false)]), .attempt(6)),
    ]

    @Test("what has to answer for a death", arguments: answers)
    func charge(place: String, state: RunState, charge: RunState.Charge) {
        #expect(state.charge == charge)
    }

    @Test("what is left of each suite, when a test has died")
    func left() {
        let state = Self.state(ended: 1, attempt: 1, suite: 2, retries: [(0, 4, false)], charges: [.attempt(1)])
        #expect((0...5).map(state.left) == [[2, 3, 4, 5], [2, 3, 4], [2], [3, 4], [5], []])
        #expect((0...3).map(state.standing) == [.open, .open, .open, .untouched])
        #expect((0...4).map { state.totals(of: $0).executions } == [1, 1, 1, 0, 0])
        #expect(!state.isOver && !state.isGreen)
    }

    @Test("a suite that has died itself has failed, and is over with the next")
    func suite() {
        let state = Self.state(ended: 3, suite: 2, charges: [.suite(2)])
        #expect((0...3).map { state.totals(of: $0).failures } == [1, 1, 1, 0])
        #expect(state.left(in: 2).isEmpty)
        let later = Self.state(ended: 5, suite: 3, charges: [.suite(2), .attempt(3)])
        #expect((0...3).map(later.standing) == [.open, .open, .over, .open])
        #expect((0...3).map { later.totals(of: $0).failures } == [1, 1, 1, 0])
    }

    @Test("a run is green only if everything has ended and nothing has failed")
    func green() {
        #expect(Self.state(ended: 5, suite: -1).isGreen)
        #expect(Self.state(ended: 5, suite: -1).isOver)
        #expect(!Self.state(ended: 4, suite: -1).isGreen)
        #expect(!Self.state(ended: 5, suite: -1, retries: [(0, 4, false)]).isGreen)
        #expect(!Self.state(ended: 5, suite: -1, charges: [.suite(2)]).isGreen)
    }
}
