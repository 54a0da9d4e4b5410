import RetryReport
import Testing

@testable import RetryCore

/// What is left of a run: `All tests` (0) holds `bundle` (1), which holds `A` (2) with tests 0 to 2 and `B` (3) with
/// tests 3 and 4; 4 stands for the suite of all retries, 5 for that of one class's.
@Suite("State of a supervised run")
struct SharedProgressTests {
    /// What happens in a run.
    enum Step: Hashable {
        case begin(Int), end(Int)
        case test(Int), pass, flake
        case retry([Int])
    }

    static func state(_ steps: [Step]) throws -> SharedProgress {
        let state = try SharedProgress(parents: [nil, 0, 1, 1, 0], suitesOfTests: [2, 2, 2, 3, 3])
        var totals = Totals()
        totals.executions = 1
        for step in [.begin(0), .begin(1)] + steps {
            switch step {
            case .begin(let suite): state.begin(suite: suite)
            case .end(let suite): state.end(suite: suite)
            case .test(let test): state.begin(test: test, at: 1)
            case .pass, .flake:
                state.endAttempt(totals, needsRetry: step == .flake)
            case .retry(let tests): state.begin(retriesOf: tests)
            }
        }
        return state
    }

    private static let a = (0...2).flatMap { [Step.test($0), .pass] }
    private static let flaky = [Step.begin(2), .test(0), .flake, .test(1), .pass, .test(2), .pass, .end(2)]
    private static let retried =
        flaky + [.begin(3), .test(3), .flake, .test(4), .pass, .end(3), .end(1), .begin(4)]

    static let places: [(String, [Step], SharedProgress.InterruptedPart)] = [
        ("a test", [.begin(2), .test(0), .pass, .test(1)], .test(1)),
        ("a class's setUp", [.begin(2)], .test(0)),
        ("between two tests", [.begin(2), .test(0), .pass], .test(1)),
        ("after a flake", [.begin(2), .test(0), .flake], .test(1)),
        ("a class's tearDown", [.begin(2)] + a, .suite(2)),
        ("between two classes", [.begin(2)] + a + [.end(2)], .suite(1)),
        ("the setUp of the second class", [.begin(2)] + a + [.end(2), .begin(3)], .test(3)),
        ("before the first class", [], .suite(1)),
        ("before a round", retried, .suite(4)),
        ("a class's setUp before a retry", retried + [.retry([0])], .test(0)),
        ("a retry", retried + [.retry([0]), .test(0)], .test(0)),
        ("a class's tearDown after a retry", retried + [.retry([0]), .test(0), .pass], .suite(5)),
        ("between two classes' retries", retried + [.retry([0]), .test(0), .pass, .end(5)], .suite(4)),
        ("the second class's setUp", retried + [.retry([0]), .test(0), .flake, .end(5), .retry([3])], .test(3)),
    ]

    @Test(
        "a crash is a failure of the test that runs or comes next, or else of the suite around it",
        arguments: places
    )
    func interrupted(place: String, steps: [Step], interrupted: SharedProgress.InterruptedPart) throws {
        #expect(try Self.state(steps).interrupted == interrupted)
    }

    @Test("what waits for its next attempt stands in the order of the rounds")
    func rounds() throws {
        let state = try Self.state(Self.retried + [.retry([0]), .test(0), .flake, .end(5)])
        #expect(state.retried == [3, 0])
        #expect(state.tests.map(\.retryCount) == [2, 0, 0, 1, 0])
        #expect(state.tests.map(\.suite) == [nil, 2, 2, nil, 3])
        #expect(state.endings == 6)
    }

    @Test("a suite counts what ended in it, and the suites in it that are over; one class's retries are not another's")
    func totals() throws {
        let state = try Self.state(Self.retried + [.retry([0]), .test(0), .pass, .end(5), .retry([3])])
        #expect((0...5).map { state.suites[$0].totals.executions } == [5, 5, 3, 2, 1, 0])
        state.fail(suite: 5)
        state.end(suite: 5)
        #expect((0...5).map { state.suites[$0].totals.failures } == [0, 0, 0, 0, 1, 1])
    }

    @Test("a failure counts for the attempt that runs, and for no other test; nothing counts while the state is frozen")
    func failures() throws {
        let state = try Self.state([.begin(2), .test(0)])
        state.fail(test: 0)
        state.fail(test: 1)
        state.freeze()
        state.fail(test: 0)
        state.endAttempt(Totals(), needsRetry: false)
        state.thaw()
        #expect(state.attempt?.failures == 1)
        #expect(state.moves != nil)
    }

    @Test("a test that begins has neither the sections nor the flake of one that died with them")
    func begins() throws {
        let state = try Self.state([.begin(2)])
        let section = Section(mark: .fixable(reason: "a race"), site: .xctest(#filePath, 1))
        state.openSections.write([section])
        state.firstFlake.write(Flake(section: section, failure: Failure(unplaced: "too early")))
        state.begin(test: 0, at: 1)
        #expect(state.openSections.sections == [])
        #expect(state.firstFlake.flake?.section == nil)
    }

    @Test("time counts while a class is open, and not between the classes")
    func moves() throws {
        let timed = [[.begin(2)], [.begin(2)] + Self.a, Self.retried + [.retry([0])]]
        let untimed = [[], [.begin(2)] + Self.a + [.end(2)], Self.retried, Self.retried + [.retry([0]), .end(5)]]
        for steps in timed { #expect(try Self.state(steps).moves != nil) }
        for steps in untimed { #expect(try Self.state(steps).moves == nil) }
    }

    @Test("a run is green only if everything has ended and nothing has failed")
    func green() throws {
        let ended = [Step.begin(2)] + Self.a + [.end(2), .begin(3), .test(3), .pass, .test(4), .pass]
        #expect(try !Self.state(ended).isOver)
        let over = try Self.state(ended + [.end(3), .end(1), .end(0)])
        #expect(over.isOver && over.isGreen)
        #expect(try !Self.state(Array(ended.dropLast(2))).isGreen)
        #expect(try !Self.state(Self.retried).isGreen)
        let failed = try Self.state(ended)
        failed.fail(suite: 3)
        for suite in [3, 1, 0] { failed.end(suite: suite) }
        #expect(!failed.isGreen)
    }
}
