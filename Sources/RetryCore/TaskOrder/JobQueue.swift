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
        guard canRunAgain, let seed = noteTaskSeed() else { return start() }
        JobQueue.shared.begin(seed: seed, start)
    }

    /// Notes the seed of this attempt, and returns it; `nil` if tasks are not ordered.
    @discardableResult
    package func noteTaskSeed() -> Int? {
        guard process.ordersTasks(), let first = process.settings.taskSeed else { return nil }
        change { $0.taskSeed = TaskSeed(seed: first + retryCount) }
        return first + retryCount
    }

    package func endTaskOrder() {
        if record.taskSeed != nil { change { $0.taskSeed = JobQueue.shared.end() } }
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
        /// The attempts that are to begin.
        var waiting: [(seed: Int, start: @Sendable () -> Void)] = []
        /// The attempt that runs. Without one, jobs run as they arrive.
        var attempt: (order: TaskOrder, seed: TaskSeed)?
        /// The microseconds that this process had computed when an attempt or a timer was first kept waiting by jobs.
        var computedBefore: clock_t?
        /// Runs jobs that are not the main actor's. Serial, as such a queue has a thread however many others are blocked.
        var worker = DispatchQueue(label: "Retryable.JobQueue")
        var isRunning = false
        /// The thread that runs a job or, between jobs, chooses the next one and begins attempts.
        var thread: pthread_t?

        var isTimerDue: Bool { sleeping.first.map { $0.due <= now() } ?? false }
        var isIdle: Bool { ready.isEmpty && waiting.isEmpty && !isTimerDue }
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

    /// Begins an attempt, after those before it and the jobs that they left; then calls `start`.
    func begin(seed: Int, _ start: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.waiting.append((seed, start))
            state.computedBefore = nil
        }
        wake.signal()
    }

    func end() -> TaskSeed? {
        defer { wake.signal() }
        return state.withLock { $0.attempt.take()?.seed }
    }

    // MARK: - Running

    func start() {
        Thread.detachNewThread { [self] in while true { state.withLock(next)() } }
    }

    private func next(_ state: inout State) -> () -> Void {
        (state.isRunning, state.thread) = (false, pthread_self())
        let beginsAttempt = state.attempt == nil && !state.waiting.isEmpty
        if beginsAttempt || state.isTimerDue {
            // It waits until all jobs that are ready have run, so that it does not matter how long they take. But not for ever, as
            // a task may never stop.
            let start = state.computedBefore ?? clock()
            let isNext = state.ready.isEmpty || clock() - start > (beginsAttempt ? 1_000_000 : 50_000)
            state.computedBefore = isNext ? nil : start
            if isNext, beginsAttempt {
                let (seed, start) = state.waiting.removeFirst()
                state.attempt = (TaskOrder(seed: seed), TaskSeed(seed: seed, outsideJobs: state.ready.count))
                return start
            }
            if isNext { state.ready.append(state.sleeping.removeFirst()) }
        }
        if state.ready.isEmpty {
            let due = state.sleeping.first.map { DispatchTime(uptimeNanoseconds: $0.due) } ?? .distantFuture
            return { [wake] in _ = wake.wait(timeout: due) }
        }
        state.isRunning = true
        let job = takeNext(&state)
        return { [self, worker = state.worker] in run(job, on: job.isMain ? .main : worker) }
    }

    private func takeNext(_ state: inout State) -> Job {
        let ready = state.ready
        // The main actor's jobs keep their order, which programs may rely on.
        let firstMain = ready.firstIndex(where: \.isMain)
        let candidates = ready.indices.filter { !ready[$0].isMain || $0 == firstMain }
        let choice = state.attempt?.order.next(of: candidates.map { ready[$0].task })
        return state.ready.remove(at: candidates[choice ?? 0])
    }

    /// Runs a job until it ends or blocks its thread: then it may wait for those that are ready.
    private func run(_ job: Job, on queue: DispatchQueue) {
        let run = DispatchWorkItem { [self] in
            state.withLock { $0.thread = pthread_self() }
            // Two words of zero stand for no actor.
            let noActor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
            job.job.runSynchronously(on: job.isMain ? MainActor.sharedUnownedExecutor : noActor)
            state.withLock { if $0.thread == pthread_self() { $0.isRunning = false } }
        }
        queue.async(execute: run)
        var (looks, start) = (0, clock())
        while run.wait(timeout: .now() + 0.01) == .timedOut {
            if state.withLock(\.isIdle) {
                (looks, start) = (0, clock())
                continue
            }
            looks += isAsleep.map { $0 ? 10 : 0 } ?? 1
            // Five looks at a process that sleeps, or fifty where the system does not say. One that computes may do so for this job,
            // and has half a second, in processor time, as a busy machine must not change the order.
            guard looks >= 50 || clock() - start > 500_000 else { continue }
            return state.withLock { state in
                state.attempt?.seed.blockedJobs += 1
                state.worker = DispatchQueue(label: state.worker.label)
            }
        }
    }

    /// Whether no thread of this process but this one wants to run; `nil` if the system does not say.
    private var isAsleep: Bool? {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        let states = threads?.compactMap { pid_t($0).flatMap(processFields)?.first }
        return states.map { $0.count { $0 == "R" || $0 == "D" } <= 1 }
    }
}

/// The uptime in nanoseconds.
private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
