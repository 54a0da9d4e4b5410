import Foundation
import Groundwork
import RetryReport

extension ProcessContext {
    /// Whether a seed orders tasks. If one does, all tasks of the process go to the queue from the first call on.
    @discardableResult
    package func ordersTasks() -> Bool { settings.taskSeed != nil && JobQueue.isInUse }
}

extension Attempt {
    package func beginTaskOrder() async {
        await withUnsafeContinuation { continuation in beginTaskOrder { continuation.resume() } }
    }

    /// Runs the main loop meanwhile, for which jobs may be waiting that others left.
    package func beginTaskOrderOnMainThread() {
        let hasBegun = Locked(false)
        beginTaskOrder { hasBegun.withLock { $0 = true } }
        while !hasBegun.withLock(\.self) { runMainLoop(until: .now() + 0.001) }
    }

    private func beginTaskOrder(_ start: @escaping @Sendable () -> Void) {
        // One inside of another, which runs it by hand, is part of that.
        guard canRunAgain, process.ordersTasks(), let first = process.settings.taskSeed else { return start() }
        taskSeed = TaskSeed(seed: first + retryCount)
        JobQueue.shared.begin(seed: first + retryCount, start)
    }

    package func endTaskOrder() {
        if taskSeed != nil { taskSeed = JobQueue.shared.end() }
    }
}

/// Runs the jobs of Swift's concurrency one at a time, and those of an attempt in the order of its seed.
///
/// A job is what a task does between two suspensions.
final class JobQueue: Sendable {
    static let shared = JobQueue()
    private let state = Locked(State())
    /// Signaled when there may be something to do.
    private let wake = DispatchSemaphore(value: 0)

    private typealias Job = (job: UnownedJob, task: UInt64, isMain: Bool, due: UInt64)

    private struct State {
        /// By arrival.
        var ready: [Job] = []
        /// By the time when they are due.
        var sleeping: [Job] = []
        /// The microseconds that this process had computed when the next of them was found to be due, but others were ready.
        var computedAtDue: clock_t?
        /// The attempt that runs. Without one, jobs run as they arrive.
        var attempt: (order: TaskOrder, seed: TaskSeed)?
        var waiting: [(seed: Int, start: @Sendable () -> Void)] = []
        /// The microseconds computed after which an attempt begins even if jobs are left, as a task may never stop.
        var latestBegin: clock_t = 0
        /// The number of the loop that runs jobs. Those before it end after the job that blocks them.
        var loop = 0
        var thread: pthread_t?
        var begun = 0
        var isRunning = false

        var isHeldUp: Bool {
            let isDue = sleeping.first.map { $0.due <= now() } ?? false
            return isRunning && (isDue || !ready.isEmpty || !waiting.isEmpty)
        }
    }

    func add(_ job: UnownedJob, isMain: Bool = false, after nanoseconds: UInt64? = nil) {
        let due = nanoseconds.map { now() + min($0, .max / 4) } ?? 0  // more would overflow
        let job = (job, Runtime.task(of: job), isMain, due)
        state.withLock { state in
            // Where there was nothing else to run, it does not matter when another thread added this.
            let isAlone = !state.isRunning && state.ready.isEmpty && state.sleeping.isEmpty
            if !isAlone, state.thread != pthread_self() { state.attempt?.seed.outsideJobs += 1 }
            guard due > 0 else { return state.ready.append(job) }
            state.sleeping.insert(job, at: state.sleeping.firstIndex { $0.due > due } ?? state.sleeping.endIndex)
        }
        wake.signal()
    }

    // MARK: - Attempts

    /// Begins an attempt, after those before it and the jobs that they left; then calls `start`.
    func begin(seed: Int, _ start: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.waiting.append((seed, start))
            state.latestBegin = clock() + 1_000_000
        }
        wake.signal()
    }

    func end() -> TaskSeed? {
        defer { wake.signal() }
        return state.withLock { state in
            state.latestBegin = clock() + 1_000_000
            return state.attempt.take()?.seed
        }
    }

    // MARK: - Threads

    func start() {
        runJobs()
        Thread.detachNewThread { [self] in watch() }
    }

    /// Runs jobs on a new thread, in place of the one that does so far.
    private func runJobs() {
        let loop = state.withLock { state in
            state.loop += 1
            return state.loop
        }
        Thread.detachNewThread { [self] in while let step = state.withLock({ nextStep(of: loop, &$0) }) { step() } }
    }

    private func nextStep(of loop: Int, _ state: inout State) -> (() -> Void)? {
        guard loop == state.loop else { return nil }
        (state.isRunning, state.thread) = (false, pthread_self())
        if state.attempt == nil, !state.waiting.isEmpty, state.ready.isEmpty || clock() > state.latestBegin {
            let (seed, start) = state.waiting.removeFirst()
            state.attempt = (TaskOrder(seed: seed), TaskSeed(seed: seed, outsideJobs: state.ready.count))
            return start
        }
        // A timer waits until all other jobs have run, so that it does not matter how long they take; but not for ever.
        if let first = state.sleeping.first, first.due <= now() {
            let start = state.computedAtDue ?? clock()
            let isNext = state.ready.isEmpty || clock() - start > 50_000
            state.computedAtDue = isNext ? nil : start
            if isNext { state.ready.append(state.sleeping.removeFirst()) }
        }
        if state.ready.isEmpty {
            let due = state.sleeping.first.map { DispatchTime(uptimeNanoseconds: $0.due) } ?? .distantFuture
            return { [wake] in _ = wake.wait(timeout: due) }
        }
        (state.isRunning, state.begun) = (true, state.begun + 1)
        let job = takeNext(&state)
        return { [self] in run(job, in: loop) }
    }

    private func takeNext(_ state: inout State) -> Job {
        let ready = state.ready
        // The main actor's jobs keep their order, which programs may rely on.
        let firstMain = ready.firstIndex(where: \.isMain)
        let candidates = ready.indices.filter { !ready[$0].isMain || $0 == firstMain }
            .sorted { (ready[$0].task, $0) < (ready[$1].task, $1) }
        let choice = state.attempt?.order.next(of: candidates.map { ready[$0].task })
        return state.ready.remove(at: choice.map { candidates[$0] } ?? 0)
    }

    private func run(_ job: Job, in loop: Int) {
        guard job.isMain else {
            // Two words of zero stand for no actor.
            return job.job.runSynchronously(on: unsafeBitCast((0, 0), to: UnownedSerialExecutor.self))
        }
        let end = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { [self] in
            state.withLock { if $0.loop == loop { $0.thread = pthread_self() } }
            job.job.runSynchronously(on: MainActor.sharedUnownedExecutor)
            end.signal()
        }
        end.wait()
    }

    /// Has another thread run jobs where one blocks the thread that does: it may wait for those that are ready.
    private func watch() -> Never {
        var (last, looks, start) = (0, 0, clock())
        while true {
            usleep(10_000)
            let job = state.withLock { $0.isHeldUp ? $0.begun : 0 }
            if job != last || job == 0 { (last, looks, start) = (job, 0, clock()) }
            if job > 0, isAsleep { looks += 1 }
            // Five looks at a process that sleeps. One that computes may do so for this job, and has half a second, in processor
            // time, as a busy machine must not change the order.
            guard looks >= 5 || clock() - start > 500_000 else { continue }
            last = 0
            state.withLock { $0.attempt?.seed.blockedJobs += 1 }
            runJobs()
        }
    }

    /// Whether no thread of this process but this one wants to run; `false` if the system does not say.
    private var isAsleep: Bool {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        let states = threads?.compactMap { pid_t($0).flatMap(processFields)?.first }
        return states.map { $0.count { $0 == "R" || $0 == "D" } <= 1 } ?? false
    }
}

/// The uptime in nanoseconds.
private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
