import AppAutomation
import Foundation

/// Comes before the launcher, to misbehave before AppAutomation has connected.
@main
enum Start {
    static func main() throws {
        do {
            let context = try AutomationContext<UnrulyOptions>()
            if context.startsOthers { try UnrulyApp.startOthers() }
            UnrulyApp.come(to: .atStart, context)
        } catch is AutomationError {
            // The launcher says so.
        }
        UnrulyApp.main()
    }
}

/// An app for the tests of what happens when an app dies, hangs or leaves others behind. It takes orders on its input.
enum UnrulyApp: AppLauncher {
    static func configure(_ context: AutomationContext<UnrulyOptions>) throws {
        postCheckpoint(.configured)
        come(to: .configuring, context)
    }

    static func run(_ context: AutomationContext<UnrulyOptions>) throws {
        let lines = Data(String(repeating: String(repeating: "x", count: 99) + "\n", count: 1000).utf8)
        for _ in 0..<(context.chatter / lines.count) {
            FileHandle.standardOutput.write(lines)
            FileHandle.standardError.write(lines)
        }
        come(to: .running, context)
        postCheckpoint(.ready)
        come(to: .ready, context)
        while let order = readLine() { obey(order) }
    }

    /// On the system's clock.
    private static var lastPost: UInt64 = 0

    private static func obey(_ order: String) {
        let words = order.split(separator: " ").map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("post", _?):
            for name in words.dropFirst() { postCheckpoint(Checkpoint(name)) }
            lastPost = DispatchTime.now().uptimeNanoseconds
        case ("posted", _):
            say("\(lastPost)")
        case ("announce", let name?):
            announceElement(ElementIdentifier(name), is: words.last.flatMap(ElementState.init) ?? .present)
        case ("fail", _?):
            fail(order, depth: 10)
        case ("flood", _):
            flood()
            exit(0)
        case ("exit", let code?):
            exit(Int32(code) ?? 1)
        case ("time", _):
            say("\(DispatchTime.now().uptimeNanoseconds)")
        default:
            say(order)
        }
    }

    /// Fails where a backtrace needs more lines than it has.
    private static func fail(_ reason: String, depth: Int) {
        guard depth == 0 else {
            fail(reason, depth: depth - 1)
            return print(depth)
        }
        if !reason.isEmpty { fatalError(reason) }
    }

    private static func say(_ line: String) {
        print(line)
        postCheckpoint(Checkpoint("printed"))
    }

    fileprivate static func come(to stage: UnrulyOptions.Stage, _ context: AutomationContext<UnrulyOptions>) {
        guard context.stage == stage else { return }
        print("last words at \(stage)")
        fflush(nil)
        switch context.fate {
        case .hang: while true { pause() }
        case .crash: abort()
        case .kill: kill(getpid(), SIGKILL)
        case .exit: exit(3)
        }
    }

    /// Starts a process that nothing tells to be of this app, and that writes to the app's output without a pause.
    /// Returns once it is at it.
    private static func flood() {
        let flood = Process()
        flood.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        flood.arguments = [
            "-i", "setsid", "timeout", "20", "sh", "-c", "echo ready >&2; exec 2>&1; while :; do echo flood; done",
        ]
        let ready = Pipe()
        flood.standardError = ready
        do {
            try flood.run()
            _ = ready.fileHandleForReading.availableData
        } catch {
            print(error)
        }
    }

    /// Starts processes that hold the app's streams open: the shell in a group of its own, as Foundation's `Process` does
    /// it, one more in that group, and one in a session of its own.
    fileprivate static func startOthers() throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "setsid sleep 1000 & sleep 1000 & sleep 1000"]
        try shell.run()
    }
}
