import Dispatch
import Foundation
import Retryable
import Testing

@Suite("Eight times as much in one test takes at most twelve times as long")
struct GrowthTests {
    @Test(
        arguments: [
            ManyMarks.self, ManyOpenSections.self, ManyFlakes.self, ManyErrors.self,
        ] as [any Program.Type]
    )
    func growth(program: any Program.Type) async throws {
        let few = try await ticks(of: 2_000, in: program)
        let many = try await ticks(of: 16_000, in: program)
        #expect(many <= 12 * few)
    }

    /// The processor time that the test took.
    private func ticks(of count: Int, in program: any Program.Type) async throws -> Int {
        let run = try await run(program, with: ["\(count)"])
        return try #require(run.printed.lazy.compactMap(Int.init).first)
    }
}

/// Prints how much of the processor's time a body takes, which gets the count that the test asked for.
private func measure(_ body: (_ count: Int) throws -> Void) rethrows {
    let start = clock()
    try body(ProgramRun.arguments.first.flatMap(Int.init) ?? 0)
    print(clock() - start)
}

/// Enters sections of as many marks.
enum ManyMarks: OneFunction {
    static func test(_ test: RetryableTestCase) {
        measure { count in
            for number in 0..<count { test.flaky(.fixable(reason: "reason \(number)")) {} }
        }
    }
}

/// Has as many sections open at once.
enum ManyOpenSections: OneFunction {
    static func test(_ test: RetryableTestCase) {
        measure { count in
            nonisolated(unsafe) let test = test
            let ended = DispatchSemaphore(value: 0)
            let thread = Thread {
                open(count, of: test)
                ended.signal()
            }
            thread.stackSize = 1 << 30
            thread.start()
            ended.wait()
        }
    }

    private static func open(_ count: Int, of test: RetryableTestCase) {
        if count > 0 { test.flaky(.fixable(reason: "a race")) { open(count - 1, of: test) } }
    }
}

/// Flakes as often.
enum ManyFlakes: OneFunction {
    static func test(_ test: RetryableTestCase) {
        guard test.retryCount == 0 else { return test.flaky(.fixable(reason: "a race")) {} }
        measure { count in
            for _ in 0..<count { test.flaky(.fixable(reason: "a race")) { XCTFail("a flake") } }
        }
    }
}

/// Catches as many errors that have left sections.
enum ManyErrors: OneFunction {
    static func test(_ test: RetryableTestCase) {
        measure { count in
            for _ in 0..<count { try? test.flaky(.fixable(reason: "a race")) { throw Boom() } }
        }
    }
}
