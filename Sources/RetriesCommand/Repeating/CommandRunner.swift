import Foundation
import Groundwork
import RetryReport

/// Runs a command again and again, in a temporary folder that has what the last run left.
///
/// Ctrl-C, or a signal to end this process, ends the running command, so that results can be shown.
final class CommandRunner {
    let folder: String
    /// The run ID of all runs. If each had its own, SwiftPM would read all manifests again for each new environment.
    let identifier = "repeat-\(UUID().uuidString)"
    /// Whether crashes show where they are: until a backtrace has named the place of the last test that crashed.
    var hasBacktrace = true
    private(set) var output: [UInt8] = []
    /// Whether the last run was ended because it took too long, and whether tests or cases began or ended in the second half of
    /// its time, by their events. What hangs does not go on.
    private(set) var isTooLong = false, wentOn = false

    private let context: CommandContext
    private let child = Locked(ChildProcess?.none)
    private let arrived = Locked(Int32?.none)
    private var sources: [any DispatchSourceSignal] = []

    init(in context: CommandContext) throws {
        self.context = context
        // A short name, because the path of a socket has some 100 bytes at most, and tests make some in the temporary folder here.
        let name = "retries-\(UUID().uuidString.prefix(8))"
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        guard mkdir(folder, 0o700) == 0 else {
            throw Problem("the folder \(folder) for the reports cannot be made: \(SystemError.last)")
        }
        let queue = DispatchQueue(label: "interruption")
        sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            // One that is ignored stays so: `nohup` ignores SIGHUP, and a shell's script SIGINT for a job in the background.
            // Functions cannot be compared, and SIG_IGN is no function but the number 1.
            let handlers = [signal(number, SIG_IGN), SIG_IGN].map { unsafeBitCast($0, to: Int.self) }
            if handlers[0] == handlers[1] { return nil }
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [arrived, child] in
                arrived.withLock { $0 = $0 ?? number }
                // Like Ctrl-C in a terminal, this does not reach process groups that the command has made.
                child.withLock(\.self)?.signalGroup(SIGINT)
                // Gives a command, even one that was just about to start, time to end by itself.
                queue.asyncAfter(deadline: .now() + 2) {
                    if let child = child.withLock(\.self) { child.ifNotReaped { child.killAll() } }
                }
            }
            source.resume()
            return source
        }
    }

    // If this fails, the system removes the folder later.
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The first signal that asked this process to end.
    var signalNumber: Int32? { arrived.withLock(\.self) }

    var report: String { "\(folder)/\(ReportLocation.fileName)" }
    /// Swift Testing's events, which not all toolchains write.
    var events: FilePath { FilePath("\(folder)/events") }
    var delays: Delays { Delays(folder: folder) }
    private var home: String { "\(folder)/home" }

    /// - Parameter typical: The seconds that a run as is takes; an event later than that shows that tests go on.
    func run(
        _ command: [String],
        under condition: Condition?,
        turn: Int,
        limit: Double,
        typical: Double
    ) throws -> ProcessEnding {
        output = []
        if condition == .delays { try delays.compile(in: context) }
        let start = context.now()
        for file in [report, events.path, delays.sign] { unlink(file) }
        if access(home, F_OK) == 0 { try FileManager.default.removeItem(atPath: home) }
        try FileManager.default.createDirectory(atPath: "\(home)/tmp", withIntermediateDirectories: true)
        let arguments = arguments(command, under: condition)
        let environment = environment(of: arguments, under: condition, turn: turn)
        let (file, isEnded) = ("\(folder)/output", Locked(false))
        let ending: ProcessEnding
        do {
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND
            ending = try Descriptor.withFile(at: file, flags) { (output) throws(SystemError) in
                let child = try Descriptor.withFile(at: "/dev/null", O_RDONLY) { (null) throws(SystemError) in
                    let streams = [null, output, output].map(\.number)
                    return try ChildProcess(arguments, environment: environment, streams: streams)
                }
                self.child.withLock { $0 = child }
                defer { self.child.withLock { $0 = nil } }
                let timer = limit.isFinite ? DispatchSource.makeTimerSource() : nil
                timer?.schedule(deadline: .now() + limit, repeating: limit)
                timer?.setEventHandler {
                    if Self.waitsForSwiftPM(FilePath(file)) { return }
                    isEnded.withLock { $0 = true }
                    child.ifNotReaped { child.killAll() }
                }
                timer?.resume()
                defer { timer?.cancel() }
                // Processes that the command has left running must not disturb the next run.
                return try child.waitForEnd { child.killAll() }
            }
        } catch {
            throw NoTests(description: "\(arguments[0]) cannot be run: \(error)")
        }
        (output, isTooLong) = (try FilePath(file).read(), isEnded.withLock(\.self))
        wentOn =
            isTooLong
            && events.lastChange.map {
                context.now().timeIntervalSince($0) < limit / 2 && $0 > start + typical
            } == true
        return ending
    }

    /// Whether a run has not begun, because another `swift build` or `swift test` has the package.
    private static func waitsForSwiftPM(_ output: FilePath) -> Bool {
        output.readText()?.split(separator: "\n").last?.hasPrefix("Another instance of SwiftPM") == true
    }

    private func arguments(_ command: [String], under condition: Condition?) -> [String] {
        let arguments = condition?.arguments(command) ?? command
        // Of several files, the first is written. No version is asked for: 0 would switch off warnings for the whole run, and
        // one that is too new is an error.
        var options = ["--event-stream-output-path", events.path]
        // SwiftPM would read all manifests again in each new home.
        if condition == .freshHome { options += ["--cache-path", "\(folder)/cache"] }
        return Condition.inserting(options, intoTest: arguments) ?? arguments
    }

    private func environment(of arguments: [String], under condition: Condition?, turn: Int) -> [String: String] {
        var environment = context.environment
        environment[EnvironmentVariable.report.rawValue] = report
        environment[EnvironmentVariable.runID.rawValue] = identifier
        // Retries would wait for a quiet machine, as they do in CI.
        environment[EnvironmentVariable.retryDelay.rawValue] = "0"
        // Without what would leave the reason of a crash no room among the last lines that are shown. Under the thread sanitizer,
        // Swift's backtracer hangs, also in exit tests, for which Swift Testing turns it off only if this variable is not set.
        let mayHang = Condition.values(of: "--sanitize", in: arguments).contains("thread")
        let backtrace = mayHang ? "enable=no" : "registers=none,images=none,threads=crashed,limit=16,top=0"
        environment["SWIFT_BACKTRACE"] = hasBacktrace ? environment["SWIFT_BACKTRACE"] ?? backtrace : "enable=no"
        let preloaded = environment["LD_PRELOAD"]
        let changes = condition?.environment(turn: turn, home: home, delays, preloaded: preloaded) ?? [:]
        environment.merge(changes) { _, new in new }
        // For `xcodebuild`, which passes nothing else on.
        let own = environment.filter { $0.key.hasPrefix("RETRYABLE_") }.map { ("TEST_RUNNER_\($0)", $1) }
        return environment.merging(own) { _, new in new }
    }
}

/// The error of a command that a signal ended early. Its process ends by that signal, which ends a loop in a shell, too.
struct Interrupted: Error {
    let signalNumber: Int32
}

/// The error of a run that shows nothing because no test began, or because its condition cannot be had.
struct NoTests: Error, CustomStringConvertible {
    let description: String
    var isOfCondition = false
    /// The run, if tests ran all the same: as is, because the condition did not reach them.
    var runAsIs: Repetition?
}
