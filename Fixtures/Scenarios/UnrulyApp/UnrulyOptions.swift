import AppAutomation

/// The ways in which an app misbehaves on purpose.
struct UnrulyOptions: LaunchOptions {
    /// The stage at which it stops to behave; `never` for an app that is good.
    @LaunchOption var stage = Stage.never
    @LaunchOption var fate = Fate.hang
    /// How many bytes it writes to each of its streams before it is ready.
    @LaunchOption var chatter = 0
    /// True to start processes that outlive it, in its session and in another.
    @LaunchOption var startsOthers = false

    enum Stage: String, CaseIterable, Codable {
        case never, atStart, configuring, running, ready
    }

    enum Fate: String, CaseIterable, Codable {
        case hang, crash, kill, exit
    }
}

extension Checkpoint {
    static let ready = Checkpoint("ready")
    static let configured = Checkpoint("configured")
}
