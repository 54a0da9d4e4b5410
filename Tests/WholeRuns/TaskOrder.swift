import Foundation
import RetryReport
import Retryable
import RetryableTesting
import TestSupport
import Testing

@Suite("Tasks in the order of a seed")
struct TaskOrderTests {
    #if compiler(>=6.3)
        private static let beliefs = [
            "firstChild", "eventBeforeConsumer", "cancellation", "twoTasksAndALog", "threeYields", "reentrancy",
        ]
        private static let lines: [String] = []
    #else  // With 6.2, nothing orders yields.
        private static let beliefs = ["firstChild", "twoTasksAndALog", "reentrancy"]
        private static let lines = [
            "Retryable: RETRYABLE_TASK_SEED does not order Task.yield() with this Swift's executors"
        ]
    #endif

    @Test("a seed finds a wrong belief about order, and its outcome is the same each time", arguments: beliefs)
    func wrong(test: String) async throws {
        func failures(with seed: Int) async throws -> [String] {
            try await SwiftTestingRun.of("WrongOrders/\(test)", environment: seeded(seed)).failures
        }
        var outcomes: [[String]] = []
        for seed in 1...10 { outcomes.append(try await failures(with: seed)) }
        let failing = try #require(outcomes.firstIndex { !$0.isEmpty })
        let passing = try #require(outcomes.firstIndex { $0.isEmpty })
        for index in [failing, passing, failing] {
            #expect(try await failures(with: index + 1) == outcomes[index])
        }
    }

    @Test("tests that are right in any order pass with every seed", arguments: 1...5)
    func right(seed: Int) async throws {
        let run = try await SwiftTestingRun.of("RightOrders", environment: seeded(seed))
        #expect(run.failures == [])
        #expect(run.ending == .success)
        #expect(run.ourLines == Self.lines)
        #expect(run.report.run?.settings["RETRYABLE_TASK_SEED"] == "\(seed)")
    }

    @Test("a retry runs with the next seed, in the order that a first attempt with it has; both are in the report")
    func retries() async throws {
        func check(
            isXCTest: Bool = false,
            _ run: (Int) async throws -> (orders: [String], report: Report)
        ) async throws {
            let (orders, report) = try await run(5)
            let attempts = try #require(report.tests.first?.attempts)
            #expect(attempts.map(\.taskSeed?.seed) == Array(5..<15))
            // XCTest's thread, which the end of a method wakes, may add what follows before the method's last job has returned.
            if !isXCTest { #expect(attempts.compactMap(\.taskSeed?.limit) == []) }
            #expect(attempts.last?.outcome == .passed)
            #expect(Set(orders).count > 2)
            #expect(try await run(10).orders == Array(orders.dropFirst(5)))
        }
        try await check { seed in
            let run = try await SwiftTestingRun.of("SeededSuite", environment: seeded(seed))
            return (run.printed, run.report)
        }
        try await check(isXCTest: true) { seed in
            let run = try await run(SeededTest.self, environment: seeded(seed))
            return (run.printed, run.report)
        }
    }

    @Test("a task that blocks its thread until another runs does not hang, and the report says that it blocked")
    func blocking() async throws {
        let run = try await SwiftTestingRun.of("BlockingTasks", environment: seeded(1))
        #expect(run.ending == .success)
        let seeds = run.report.tests.compactMap { $0.attempts.first?.taskSeed }
        #expect(seeds.count == 4)
        #expect(seeds.allSatisfy { $0.limit?.contains("blocked a thread") == true }, "\(seeds)")
    }

    @Test("an attempt begins though a task that another test left never stops")
    func endless() async throws {
        let run = try await SwiftTestingRun.of("LeavesATask", environment: seeded(1))
        #expect(run.ending == .success)
        #expect(run.ended.count { $0.hasPrefix("LeavesATask/") } == 2)
    }

    @Test("jobs from other threads are counted, as the seed does not decide when they come")
    func outside() async throws {
        let run = try await SwiftTestingRun.of("OutsideJobs", environment: seeded(1))
        let seed = try #require(run.report.tests.first?.attempts.first?.taskSeed)
        #expect(seed.outsideJobs > 0)
        #expect(seed.limit?.hasPrefix("seed 1 does not decide alone: ") == true)
    }

    @Test("without the variable, nothing in Swift's runtime is replaced", arguments: [nil, 1])
    func hooks(seed: Int?) async throws {
        let run = try await SwiftTestingRun.of("Hooks", environment: seed.map(seeded) ?? [:])
        #expect(run.printed == ["replaced: \(seed != nil)"])
    }

    private func seeded(_ seed: Int) -> [String: String] { ["RETRYABLE_TASK_SEED": "\(seed)"] }
}

// MARK: - Programs

/// The numbers of children in the order in which they finish, which most programs take for that in which they were made.
private func order() async -> [Int] {
    await withTaskGroup(of: Int.self) { group in
        for child in 0..<4 { group.addTask { child } }
        return await group.reduce(into: []) { $0.append($1) }
    }
}

private var firstSeed: Int { ProcessInfo.processInfo.environment["RETRYABLE_TASK_SEED"].flatMap { Int($0) } ?? 0 }

final class SeededTest: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] { [testCase([("test", asyncTest(test))])] }

    func test() async throws {
        await flaky(.notFixable(reason: "a race", maxRetryCount: 14)) {
            print(await order())
            XCTAssertEqual(firstSeed + retryCount, 14)
        }
    }
}

#if PROGRAM
    @Suite(.retryable) struct SeededSuite {
        @Test func test() async {
            await flaky(.notFixable(reason: "a race", maxRetryCount: 14)) {
                print(await order())
                #expect(firstSeed + Test.retryCount == 14)
            }
        }
    }

    @Suite(.retryable, .serialized) struct LeavesATask {
        @Test(arguments: 1...2) func leaves(number: Int) async {
            alarm(60)  // so that no attempt hangs for ever
            Task { while true { await Task.yield() } }
        }

        @Test func ends() async { await Task.yield() }
    }

    @Suite(.retryable) struct BlockingTasks {
        @Test func untilATaskRuns() async {
            await failOnce {
                let semaphore = DispatchSemaphore(value: 0)
                let task = Task { _ = semaphore.signal() }
                block(on: semaphore)
                await task.value
            }
        }

        @Test func untilATimer() async {
            await failOnce {
                let semaphore = DispatchSemaphore(value: 0)
                let task = Task {
                    try? await Task.sleep(nanoseconds: 10_000_000)
                    semaphore.signal()
                }
                await Task.yield()
                block(on: semaphore)
                await task.value
            }
        }

        @Test func byComputing() async {
            await failOnce {
                let isDone = Locked(false)
                let task = Task { _ = isDone.exchange(true) }
                while !isDone.withLock(\.self) {}
                await task.value
            }
        }

        @MainActor @Test func mainActor() async {
            await failOnce {
                let semaphore = DispatchSemaphore(value: 0)
                let task = Task.detached { _ = semaphore.signal() }
                let next = Task { @MainActor in }
                block(on: semaphore)
                await task.value
                await next.value
            }
        }
    }

    @Suite(.retryable) struct OutsideJobs {
        @Test func test() async {
            await failOnce {
                let semaphore = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    Task {}
                    semaphore.signal()
                }
                block(on: semaphore)
            }
        }
    }

    private func block(on semaphore: DispatchSemaphore) { semaphore.wait() }

    /// Fails on the first attempt, so that it is in the report.
    private func failOnce(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
        await flaky(.race) {
            await body()
            #expect(Test.retryCount > 0)
        }
    }

    @Suite(.retryable) struct Hooks {
        @Test func test() {
            let hook = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook")
            print("replaced: \(hook?.load(as: UnsafeRawPointer?.self) != nil)")
        }
    }

    /// Wrong beliefs about order, each of which holds nearly always.
    @Suite(.retryable) struct WrongOrders {
        @Test func firstChild() async { #expect(await order().first == 0) }

        @Test func eventBeforeConsumer() async {
            let (events, source) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            let consumer = Task {
                var seen: [Int] = []
                for await event in events { seen.append(event) }
                return seen
            }
            let producer = Task {
                source.yield(1)
                await Task.yield()
                source.yield(2)
                source.finish()
            }
            await producer.value
            #expect(await consumer.value == [1, 2])
        }

        @Test func cancellation() async {
            let task = Task {
                await Task.yield()
                return !Task.isCancelled
            }
            await Task.yield()
            await Task.yield()
            task.cancel()
            #expect(await task.value)
        }

        @Test func twoTasksAndALog() async {
            let log = Log()
            let first = Task { for number in 0..<3 { await log.add("\(number)") } }
            let second = Task { await log.add("x") }
            _ = await (first.value, second.value)
            #expect(await log.lines.first == "0")
        }

        @MainActor @Test func threeYields() async {
            let model = Model()
            model.tapped()
            for _ in 0..<3 { await Task.yield() }
            #expect(model.title == "ada")
        }

        @Test func reentrancy() async {
            let cache = ImageCache()
            async let one = cache.image("x")
            async let two = cache.image("x")
            _ = await (one, two)
            #expect(await cache.loads == 1)
        }
    }

    /// Right in any order.
    @Suite(.retryable) struct RightOrders {
        #if compiler(>=6.3)  // With 6.2, nothing orders what follows a sleep, so a busy machine may.
            @Test func sleeps() async {
                let log = Log()
                await withTaskGroup(of: Void.self) { group in
                    for milliseconds in [60, 10] {
                        group.addTask {
                            try? await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
                            await log.add("\(milliseconds)")
                        }
                    }
                }
                #expect(await log.lines == ["10", "60"])
            }

            @Test func sleepsOfAProcessThatWasStopped() async throws {
                let log = Log()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for milliseconds in [60, 10] {
                        group.addTask {
                            try await Task.sleep(nanoseconds: UInt64(milliseconds) * 1_000_000)
                            await log.add("\(milliseconds)")
                        }
                    }
                    group.addTask {
                        try await Task.sleep(nanoseconds: 1_000_000)  // when the others sleep
                        let shell = Process()
                        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
                        shell.arguments = ["-c", "sleep 0.3; kill -CONT $PPID"]
                        try shell.run()
                        raise(SIGSTOP)
                    }
                    try await group.waitForAll()
                }
                #expect(await log.lines == ["10", "60"])
            }
        #endif

        @Test func group() async {
            let log = Log()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 { group.addTask { await log.add("\(number)") } }
            }
            #expect(await Set(log.lines).count == 10)
        }

        @MainActor @Test func mainOrder() async {
            var seen: [Int] = []
            let tasks = (0..<10).map { number in Task { @MainActor in seen.append(number) } }
            for task in tasks { await task.value }
            #expect(seen == Array(0..<10))
        }

        @MainActor @Test func isolation() async {
            MainActor.preconditionIsolated()
            await Task.yield()
            assumeIsolated()
            await Task.detached { await MainActor.run { MainActor.preconditionIsolated() } }.value
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async {
                    MainActor.assumeIsolated {}
                    continuation.resume()
                }
            }
            MainActor.preconditionIsolated()
        }

        @Test func timersBesideATaskThatNeverWaits() async {
            let timer = Task { try? await Task.sleep(nanoseconds: 20_000_000) }
            let start = Date()
            while Date().timeIntervalSince(start) < 0.2 { await Task.yield() }
            _ = await timer.value
        }

        @Test func yieldsUntilAnotherTaskHasRun() async {
            let log = Log()
            let task = Task {
                try? await Task.sleep(nanoseconds: 20_000_000)
                await log.add("done")
            }
            while await log.lines.isEmpty { await Task.yield() }
            await task.value
        }

        @Test func sleepUntilCancelled() async {
            let task = Task { try? await Task.sleep(nanoseconds: .max) }
            await Task.yield()
            task.cancel()
            await task.value
        }

        nonisolated private func assumeIsolated() { MainActor.assumeIsolated {} }
    }

    private actor Log {
        var lines: [String] = []

        func add(_ line: String) { lines.append(line) }
    }

    private actor ImageCache {
        var loads = 0
        private var images: [String: Int] = [:]

        func image(_ name: String) async -> Int {
            if let image = images[name] { return image }
            loads += 1
            let image = await Task.detached { 1 }.value
            images[name] = image
            return image
        }
    }

    @MainActor private final class Model {
        var title = ""

        func tapped() { Task { title = await fetch() } }
        nonisolated func fetch() async -> String { "ada" }
    }
#endif
