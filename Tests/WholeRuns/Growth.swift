import Dispatch
import Foundation
import Retryable
import Testing

@Suite("Eight times as much in one test takes at most twelve times as long")
struct GrowthTests {
    @Test(
        arguments: [
            ManyMarks.self, ManyOpenSections.self, ManyFlakes.self, ManyErrors.self,
            OneErrorOfMany.self,
        ] as [any Program.Type]
    )
    func growth(program: any Program.Type) async throws {
        let few = try await ticks(of: 1_000, in: program)
        var many = try await ticks(of: 8_000, in: program)
        // Where others use the caches, one measurement may be too high.
        if many > 12 * few { many = min(many, try await ticks(of: 8_000, in: program)) }
        #expect(many <= 12 * few)
    }

    /// The processor time that the test took.
    private func ticks(of count: Int, in program: any Program.Type) async throws -> Int {
        let run = try await run(program, with: ["\(count)"])
        return try #require(run.printed.lazy.compactMap(Int.init).first)
    }
}

/// Prints how much of the processor's time a body takes, which gets the count that the test asked for.
private func printTicks(_ body: (_ count: Int) throws -> Void) rethrows {
    let start = clock()
    try body(ProgramRun.arguments.first.flatMap(Int.init) ?? 0)
    print(clock() - start)
}

/// Enters sections of `count` marks.
final class ManyMarks: RetryableTestCase, OneTest {
    func test() {
        printTicks { count in
            for number in 0..<count { flaky(.fixable(reason: "reason \(number)")) {} }
        }
    }
}

/// Has `count` sections open at the same time.
final class ManyOpenSections: RetryableTestCase, OneTest {
    func test() {
        let shared = Shared(test: self)
        printTicks { count in
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

/// Flakes `count` times.
final class ManyFlakes: RetryableTestCase, OneTest {
    func test() {
        guard retryCount == 0 else { return flaky(.race) {} }
        printTicks { count in
            for _ in 0..<count { flaky(.race) { XCTFail("a flake") } }
        }
    }
}

/// Catches as many errors that have left sections.
final class ManyErrors: RetryableTestCase, OneTest {
    func test() {
        printTicks { count in
            for _ in 0..<count { try? flaky(.race) { throw Boom() } }
        }
    }
}

/// Has one error leave as many sections.
final class OneErrorOfMany: RetryableTestCase, OneTest {
    func test() {
        let boom: any Error = Boom()
        printTicks { count in
            for number in 0..<count { try? flaky(.fixable(reason: "reason \(number)")) { throw boom } }
        }
    }
}
