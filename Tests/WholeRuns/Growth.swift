import Dispatch
import Foundation
import Retryable
import RetryableTesting
import TestSupport
import Testing

@Suite("Growth")
struct GrowthTests {
    @Test("eight times as much in one test takes at most twelve times as long", arguments: Growing.allCases)
    func growth(what: Growing) async throws {
        // What else runs on the machine can only add to a measurement. So the least of each size counts, of processes that
        // take turns, until what others add cannot explain that too much is left.
        var (few, many) = (Int.max, Int.max)
        for round in 1...30 where round <= 3 || many > 12 * few {
            few = min(few, try await ticks(of: 2_000, what))
            many = min(many, try await ticks(of: 16_000, what))
        }
        #expect(many <= 12 * few)
    }

    @Test(
        "the first section of a process takes not many times as long as the next, so that a mark decides no race",
        arguments: [(true, 18), (false, 6)]  // a cold one takes 32 and 14 times as long
    )
    func firstSection(isXCTest: Bool, most: Double) async throws {
        // What else runs on the machine slows both sections of a process. So their times are compared in each, and the best counts.
        var least = Double.infinity
        for round in 1...10 where round <= 3 || least > most {
            let printed =
                isXCTest
                ? try await run(TwoSections.self).printed : try await SwiftTestingRun.of("TwoSectionsSuite").printed
            let times = printed.compactMap(Double.init)
            try #require(times.count == 2)
            least = min(least, times[0] / times[1])
        }
        #expect(least <= most)
    }

    /// Returns the processor time of all threads of a fresh process, from the beginning of its test to the end. On one
    /// processor, as threads that wait for each other's locks take time, now more, now less.
    private func ticks(of count: Int, _ what: Growing) async throws -> Int {
        let command = ["-c", "0", Checkout.wholeRunProgram.path, "\(Grows.self)", "", "\(count)", what.rawValue]
        let run = try await ChildRun.of(URL(fileURLWithPath: "/usr/bin/taskset"), command)
        #expect(run.ending == .success)
        return try #require(run.output.lazy.compactMap(Int.init).first, "\(run)")
    }
}

/// Prints the nanoseconds that each of two sections takes.
private func printTimes(_ first: () -> Void, _ second: () -> Void) {
    let start = DispatchTime.now()
    first()
    let middle = DispatchTime.now()
    second()
    let end = DispatchTime.now()
    print(middle.uptimeNanoseconds - start.uptimeNanoseconds)
    print(end.uptimeNanoseconds - middle.uptimeNanoseconds)
}

final class TwoSections: RetryableTestCase, OneTest {
    func test() {
        let mark = Flakiness.race
        printTimes({ flaky(mark) {} }, { flaky(mark) {} })
    }
}

#if PROGRAM
    @Suite(.retryable) struct TwoSectionsSuite {
        @Test func test() {
            let mark = Flakiness.race
            printTimes({ flaky(mark) {} }, { flaky(mark) {} })
        }
    }
#endif

/// What a test has many of. Each error leaves a section, and is caught.
enum Growing: String, CaseIterable {
    case marks, openSections, flakes, errors, sectionsOfOneError
}

/// Prints the processor time that its test takes, in all threads: `Grows COUNT WHAT`
final class Grows: RetryableTestCase, OneTest {
    func test() {
        guard retryCount == 0 else { return flaky(.race) {} }
        let count = Int(ProgramRun.arguments[0]) ?? 0
        let start = clock()
        switch Growing(rawValue: ProgramRun.arguments[1]) {
        case .marks: for number in 0..<count { flaky(.fixable(reason: "reason \(number)")) {} }
        case .openSections: openSections(count)
        case .flakes: for _ in 0..<count { flaky(.race) { XCTFail("a flake") } }
        case .errors: for _ in 0..<count { try? flaky(.race) { throw Boom() } }
        case .sectionsOfOneError:
            let boom: any Error = Boom()
            for number in 0..<count { try? flaky(.fixable(reason: "reason \(number)")) { throw boom } }
        case nil: XCTFail("unknown")
        }
        print(clock() - start)
    }

    private func openSections(_ count: Int) {
        let shared = Shared(test: self)
        let ended = DispatchSemaphore(value: 0)
        Task {
            let room = WaitingRoom(seats: count)
            await withTaskGroup { group in
                for _ in 0..<count { group.addTask { await shared.test.flaky(.race) { await room.wait() } } }
            }
            ended.signal()
        }
        ended.wait()
    }

    /// Keeps its callers waiting until there are as many as it has seats.
    private actor WaitingRoom {
        private let seats: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(seats: Int) { self.seats = seats }

        func wait() async {
            await withCheckedContinuation { continuation in
                waiting.append(continuation)
                if waiting.count == seats { waiting.forEach { $0.resume() } }
            }
        }
    }
}
