import Foundation
import Groundwork
import RetryReport

extension MachineLoad {
    /// The sleep before a measurement that follows a busy one. Three take so long that a pause between two tests does not look
    /// like a quiet machine.
    static let longSleep = 0.012

    /// Measures the load from a thread.
    package static func now(after sleep: Double = 0.002) -> MachineLoad {
        let start = Clocks()
        Thread.sleep(forTimeInterval: sleep)
        return load(since: start, sleep)
    }

    /// Measures the load from a task, whose sleep ends late if the thread pool is full. Throws if the task is cancelled.
    package static func nowInTask(after sleep: Double = 0.002) async throws -> MachineLoad {
        let start = Clocks()
        try await Task.sleep(nanoseconds: UInt64(sleep * 1_000_000_000))
        return load(since: start, sleep)
    }

    private static let latest = Locked<(load: MachineLoad, time: Double)?>(nil)

    /// The last measurement, if it is at most 0.2 s old. Where hundreds of tests flake in a row, one serves many.
    package static var recent: MachineLoad? {
        latest.withLock { $0 }.flatMap { Clocks().wall - $0.time < 0.2 ? $0.load : nil }
    }

    private static let isLooking = Locked(false)

    /// A recent measurement or a new one. Tests that flake at once wait for one of them to measure, as each would take the measuring
    /// of the others for load. Throws if the task is cancelled.
    package static func look() async throws -> MachineLoad {
        while true {
            if let recent { return recent }
            if isLooking.withLock({ !exchange(&$0, with: true) }) {
                defer { isLooking.withLock { $0 = false } }
                return try await nowInTask()
            }
            try await Task.sleep(nanoseconds: 2_000_000)
        }
    }

    private static func load(since start: Clocks, _ sleep: Double) -> MachineLoad {
        let awake = Clocks()
        let demandBefore = demand()
        var end = awake
        // On two processors, 6 ms separated 0 or 1 busy loops from 2, 4 or 8 in 99 of 100 measurements.
        while end.thread - awake.thread < 0.006 { end = Clocks() }
        let thread = end.thread - awake.thread
        let load = MachineLoad(
            late: max(0, awake.wall - start.wall - sleep),
            own: max(0, end.process - start.process - thread) / (end.wall - start.wall),
            slowdown: max((end.wall - awake.wall) / thread, min(demandBefore, demand()))
        )
        latest.withLock { $0 = (load, end.wall) }
        return load
    }

    /// The number of threads that want to run, per processor; 0 where the system does not say.
    ///
    /// If two busy loops share one processor and leave the other to the measurement, nothing else shows them.
    static func demand(
        in averages: String? = FilePath("/proc/loadavg").readText(),
        processors: Int = ProcessInfo.processInfo.processorCount
    ) -> Double {
        let fields = averages?.split { " /".contains($0) } ?? []
        return fields.count > 3 ? (Double(fields[3]) ?? 0) / Double(processors) : 0
    }

    private struct Clocks {
        let wall = seconds(CLOCK_MONOTONIC)
        let process = seconds(CLOCK_PROCESS_CPUTIME_ID)
        let thread = seconds(CLOCK_THREAD_CPUTIME_ID)

        private static func seconds(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
    }
}
