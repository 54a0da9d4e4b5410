import Foundation
import Groundwork

extension JobQueue {
    /// Whether all jobs of Swift's concurrency go to the queue, as they do from the first access on.
    static let isInUse: Bool = {
        var problem: String? = "Swift's runtime is older than 6.0"
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { problem = Runtime.sendJobs() }
        if let problem { log("RETRYABLE_TASK_SEED changes nothing here: \(problem)") }
        return problem == nil
    }()
}

/// What has no name in Swift, as seen in 6.2 to 6.4. Should it change, a line says so, or whole runs fail (`RetryableTests`).
enum Runtime {
    private typealias Word = UnsafeRawPointer

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(dlopen(nil, RTLD_NOW), name) }

    static func function<Function>(_ name: String) -> Function? {
        symbol(name).map { unsafeBitCast($0, to: Function.self) }
    }

    private static let number: (@convention(c) @Sendable (Word) -> UInt64)? = function("swift_task_getJobTaskId")
    private static let current: (@convention(c) @Sendable () -> Word?)? = function("swift_task_getCurrent")

    /// The number of the task that a job belongs to.
    static func task(of job: UnownedJob) -> UInt64 {
        let job = unsafeBitCast(job, to: Word.self)
        // The kind of a job follows four words. An actor's, and that of a yield, belong to the task that made them.
        let isTask = job.load(fromByteOffset: 4 * MemoryLayout<Int>.size, as: UInt8.self) == 0
        return number?(isTask ? job : current?() ?? job) ?? 0
    }

    /// The nanoseconds until a time of one of Swift's clocks.
    private static func nanoseconds(until seconds: Int64, _ nanoseconds: Int64, of clock: Int32) -> UInt64 {
        typealias Time = @convention(c) (UnsafeMutablePointer<Int64>, UnsafeMutablePointer<Int64>, Int32) -> Void
        let time: Time? = function("swift_get_time")
        var (now, rest): (Int64, Int64) = (0, 0)
        time?(&now, &rest, clock)
        return UInt64(min(max(Double(seconds - now) * 1e9 + Double(nanoseconds - rest), 0), 1e18))
    }
}

// MARK: - Replacing the runtime's functions

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Runtime {
    /// Has the runtime send jobs to the queue; returns the reason why it cannot.
    fileprivate static func sendJobs() -> String? {
        // The runtime has one more argument for each, its own function, which is not needed here.
        let add: @convention(thin) (UnownedJob) -> Void = { JobQueue.shared.add($0) }
        let addMain: @convention(thin) (UnownedJob) -> Void = { JobQueue.shared.add($0, isMain: true) }
        let addLater: @convention(thin) (UInt64, UnownedJob) -> Void = { JobQueue.shared.add($1, after: $0) }
        let addAt: @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob) -> Void = {
            JobQueue.shared.add($5, after: Runtime.nanoseconds(until: $0, $1, of: $4))
        }
        let main: @convention(thin) () -> UnownedSerialExecutor = { Executor.main.asUnownedSerialExecutor() }
        let isMain: @convention(thin) (Word?) -> Bool = {
            $0 == Word(Unmanaged.passUnretained(Executor.main).toOpaque())
        }
        let hooks = [
            ("enqueueGlobal", unsafeBitCast(add, to: Word.self)),
            ("enqueueMainExecutor", unsafeBitCast(addMain, to: Word.self)),
            ("enqueueGlobalWithDelay", unsafeBitCast(addLater, to: Word.self)),
            ("enqueueGlobalWithDeadline", unsafeBitCast(addAt, to: Word.self)),
            ("getMainExecutor", unsafeBitCast(main, to: Word.self)),
            ("isMainExecutor", unsafeBitCast(isMain, to: Word.self)),
        ].map { (name: "swift_task_\($0)_hook", function: $1) }
        if let missing = hooks.first(where: { symbol($0.name) == nil }) { return "this Swift has no \(missing.name)" }
        JobQueue.shared.start()
        for hook in hooks { symbol(hook.name)?.storeBytes(of: hook.function, as: Word.self) }
        if !replaceDefaultExecutor() {
            log("RETRYABLE_TASK_SEED does not order Task.yield() with this Swift's executors")
        }
        return nil
    }

    /// Has yields go to the queue, for which there is no hook; `false` with Swift 6.2, whose executors cannot be replaced.
    ///
    /// The runtime gets its executors from a type's conformance to a protocol. It is given a copy of that with another executor.
    private static func replaceDefaultExecutor() -> Bool {
        let name = "$ss23PlatformExecutorFactoryV"
        guard let create: @convention(c) (Word, Word, Word) -> Void = function("swift_createExecutors"),
            let type = symbol("\(name)N"), let conformance = symbol("\(name)s0bC0sMc"),
            let table = symbol("\(name)s0bC0sWP")?.assumingMemoryBound(to: Word.self), table[0] == Word(conformance),
            // Of the protocol's two requirements, described after 24 bytes, the default executor is the second.
            let factory = symbol("$ss15ExecutorFactoryMp"), factory.load(fromByteOffset: 16, as: UInt32.self) == 2,
            symbol("$ss15ExecutorFactoryP07defaultA0Sch_pvgZTq") == factory + 32
        else { return false }
        let executor: @convention(thin) () -> any TaskExecutor = { Executor.global }
        let copy = UnsafeMutablePointer<Word>.allocate(capacity: 3)
        copy.initialize(from: table, count: 3)
        copy[2] = unsafeBitCast(executor, to: Word.self)
        create(type, type, copy)
        return true
    }

    private final class Executor: SerialExecutor, TaskExecutor {
        static let (main, global) = (Executor(isMain: true), Executor(isMain: false))
        private let isMain: Bool

        private init(isMain: Bool) { self.isMain = isMain }
        func enqueue(_ job: consuming ExecutorJob) { JobQueue.shared.add(UnownedJob(job), isMain: isMain) }
        func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }
    }
}
