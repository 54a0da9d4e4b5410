import Dispatch
import Foundation
import Retryable
import Testing

@Suite("Eight times as much in one test takes at most twelve times as long")
struct GrowthTests {
    @Test(arguments: Growing.allCases)
    func growth(what: Growing) async throws {
        let few = try await ticks(of: 2_000, what)
        var many = try await ticks(of: 16_000, what)
        // Where others use the caches, one measurement may be too high.
        if many > 12 * few { many = min(many, try await ticks(of: 16_000, what)) }
        #expect(many <= 12 * few)
    }

    /// The processor time that the test took.
    private func ticks(of count: Int, _ what: Growing) async throws -> Int {
        let run = try await run(Grows.self, with: ["\(count)", what.rawValue])
        return try #require(run.printed.lazy.compactMap(Int.init).first)
    }
}

/// What a test has many of. Each error leaves a section, and is caught.
enum Growing: String, CaseIterable {
    case marks, openSections, flakes, errors, sectionsOfOneError
}

/// Prints how much of the processor's time a test takes: `Grows COUNT WHAT`
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
