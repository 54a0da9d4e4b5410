import Foundation
import Groundwork
import RetryReport

/// A change to the circumstances of a run. If a test then fails more or less often, they are a cause.
package enum Condition: String, CaseIterable, Sendable {
    case load
    case oneCore = "one-core"
    case narrowPool = "narrow-pool"
    case delays
    case taskOrder = "task-order"
    case timeZone = "time-zone"
    case fixedHashes = "fixed-hashes"
    case freshHome = "fresh-home"
    case memory
    case withAll = "with-all"
    case races

    /// The change, the cause if it matters, and the circumstance in which tests then fail more or less often.
    private var texts: (change: String, cause: String, circumstance: String) {
        switch self {
        case .load:
            (
                "two busy processes for each processor", "It waits for time, or relies on something being done in time",
                "when processors are busy"
            )
        case .oneCore:
            (
                "one processor (Linux, with taskset)",
                "It needs threads side by side, or in an order that nothing guarantees", "on one processor"
            )
        case .narrowPool:
            ("one thread for tasks (Apple's systems)", "It needs tasks side by side, or blocks one", "with one thread")
        case .delays:
            (
                "sleeps at locks, wake-ups, reads and writes (Linux)",
                "It relies on something being done in time, or in an order that nothing guarantees",
                "when threads are delayed"
            )
        case .taskOrder:
            ("seeds for the order of tasks, of retryable tests", "It depends on the order of tasks", "in other orders")
        case .timeZone:
            ("TZ=Pacific/Chatham, UTC+12:45 or +13:45", "It depends on the time zone", "in Pacific/Chatham")
        case .fixedHashes:
            ("SWIFT_DETERMINISTIC_HASHING=1", "It depends on the order of a Set or Dictionary", "with fixed hashes")
        case .freshHome:
            (
                "new home and temporary folders",
                "It depends on what is in the home or temporary folder",
                "in new folders"
            )
        case .memory:
            ("rubbish in allocated memory", "It reads uninitialized or freed memory", "when that holds rubbish")
        case .withAll:
            ("no --filter or -only-testing:, judged by the same tests", "It depends on other tests", "when all run")
        case .races:
            ("swift test with the thread sanitizer, if named", "It has a data race", "with the sanitizer")
        }
    }

    static var help: String { Syntax.table(allCases.map { ($0.rawValue, $0.texts.change) }) }

    /// Whether it explains many flakes, so that it has more of the runs.
    var isLikely: Bool { [.load, .oneCore, .narrowPool, .delays, .taskOrder].contains(self) }

    /// The cause that it shows, and how often tests then fail; no cause if that says nothing but the difference.
    func finding(_ tally: Tally, asIs: Tally) -> (cause: String?, observation: String) {
        let isMore = tally.rate > asIs.rate
        if self == .taskOrder { return (texts.cause, "failed with \(tally.bad) of \(tally.runs) orders") }
        let tendency = isMore ? "fails more often" : "fails less often"
        let always = tally.bad == 0 ? "did not fail in \(tally.runs.of("run"))" : "failed in each run"
        let frequency = tally.bad == 0 || tally.bad == tally.runs ? always : tendency
        let race = self == .delays ? nil : "It fails only if things happen fast, as when two threads race"
        return (isMore || !isLikely ? texts.cause : race, "\(frequency) \(texts.circumstance)")
    }

    /// Whether its runs are compared with those as is. For races, one report of the sanitizer is enough.
    var isCompared: Bool { self != .races }

    func sentence(skipped tests: [String]) -> String {
        let skipped = "\(tests.count == 1 ? "was" : "were") \(TestOutput.skipped(tests))"
        return "\(tests.firstFew) \(skipped) \(texts.circumstance), which proves nothing."
    }

    func check(for command: [String]) throws {
        guard arguments(command) == nil else { return }
        throw Problem("the condition \(rawValue) (\(texts.change)) is not available here, or changes nothing")
    }

    /// The command as it runs under this condition; `nil` if this system does not have it, or if it changes nothing.
    func arguments(_ command: [String]) -> [String]? {
        switch self {
        case .load:
            // In the command's own session, because Linux may divide processors among sessions. They end with the command.
            let count = ProcessInfo.processInfo.activeProcessorCount * 2
            let busy = "while kill -0 $$ 2>/dev/null; do :; done"
            return ["/bin/sh", "-c", "for _ in $(seq \(count)); do (\(busy)) & done; exec \"$@\"", "sh"] + command
        case .oneCore:
            let processor = FilePath("/proc/self/status").readText().flatMap(Self.oneOfProcessors)
            return processor.map { ["taskset", "-c", $0] + command }
        case .narrowPool: return access("/System/Library", F_OK) == 0 ? command : nil
        case .delays: return Delays.source.isEmpty ? nil : command
        case .withAll:
            let all = Self.removing(["--filter", "-only-testing"], from: command)
            return all.count < command.count ? all : nil
        case .races:
            let sanitizing = ["--sanitize=thread", "--scratch-path", ".build/retries-why"]
            // Of several folders, the last is built in. The command's own must not get what the sanitizer needs.
            let others = Self.removing(["--scratch-path", "--build-path"], from: command)
            let test = Self.inserting(sanitizing, intoTest: others.filter { $0 != "--skip-build" })
            // With its usual, shorter history, the sanitizer drops many races of loops: it no longer knows the other access.
            let options = "TSAN_OPTIONS=\"history_size=7:$TSAN_OPTIONS\""
            let demangling = "\(options) \"$@\" 2>&1 | swift demangle --simplified"
            return test.map { ["/bin/bash", "-o", "pipefail", "-c", demangling, "bash"] + $0 }
        default: return command
        }
    }

    /// The first of several processors that a process may use, which in a container need not be number 0.
    ///
    /// - Parameter status: What Linux tells of the process, with a line such as `Cpus_allowed_list: 4-7,12`.
    static func oneOfProcessors(_ status: String) -> String? {
        let list = status.split(whereSeparator: \.isNewline).first { $0.hasPrefix("Cpus_allowed_list:") }
        let numbers = list?.split { !$0.isNumber } ?? []
        return numbers.count > 1 ? String(numbers[0]) : nil
    }

    /// The programs that run a command where no file of this system is.
    private static let elsewhere: Set = [
        "docker", "docker-compose", "podman", "podman-compose", "nerdctl", "container", "kubectl", "ssh", "vagrant",
        "limactl",
    ]

    /// Whether `command` is `swift test` here.
    static func isTest(_ command: [String]) -> Bool { inserting([], intoTest: command) != nil }

    /// `command` with more options for `swift test`; `nil` if it is something else, or runs elsewhere.
    static func inserting(_ options: [String], intoTest command: [String]) -> [String]? {
        let swift = command.firstIndex { FilePath($0).name == "swift" }
        if command.prefix(swift ?? 0).contains(where: { elsewhere.contains(FilePath($0).name) }) { return nil }
        guard let test = swift.map({ $0 + 1 }), test < command.count, command[test] == "test" else { return nil }
        return Array(command[...test]) + options + Array(command[(test + 1)...])
    }

    /// `command` without options that have a value: the next word, or what follows `=`, in Xcode's options a colon.
    static func removing(_ options: [String], from command: [String]) -> [String] {
        zip([""] + command, command).filter { previous, word in
            !options.contains(previous) && !options.contains(String(word.prefix { $0 != "=" && $0 != ":" }))
        }.map(\.1)
    }

    /// The values of an option of `command`: the next word, or what follows `=`.
    static func values(of option: String, in command: [String]) -> [String] {
        zip([""] + command, command).compactMap { previous, word in
            if previous == option { return word }
            return word.hasPrefix("\(option)=") ? String(word.dropFirst(option.count + 1)) : nil
        }
    }

    /// The changes of a run's environment; `home` is a new, empty folder for ``freshHome``.
    func environment(turn: Int, home: String, _ delays: Delays, preloaded: String?) -> [String: String] {
        switch self {
        case .narrowPool: ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"]
        case .delays: delays.environment(turn: turn, preloaded: preloaded)
        case .taskOrder: [EnvironmentVariable.taskSeed.rawValue: "\(turn + 1)"]
        case .timeZone: ["TZ": "Pacific/Chatham"]
        case .fixedHashes: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        case .freshHome:
            [
                "HOME": home, "CFFIXED_USER_HOME": home, "TMPDIR": "\(home)/tmp", "XDG_CONFIG_HOME": "\(home)/.config",
                "XDG_CACHE_HOME": "\(home)/.cache", "XDG_DATA_HOME": "\(home)/.local/share",
                "XDG_STATE_HOME": "\(home)/.local/state",
            ]
        // For glibc, and for Apple's systems.
        case .memory: ["MALLOC_PERTURB_": "165", "MallocPreScribble": "1", "MallocScribble": "1"]
        case .load, .oneCore, .withAll, .races: [:]
        }
    }
}
