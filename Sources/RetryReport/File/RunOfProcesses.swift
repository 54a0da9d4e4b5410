import Foundation

/// A run, as one of its processes knows it.
struct RunOfProcesses {
    private var run: Report.Run
    /// When this process ended; `nil` while it goes on.
    var ownEnd: Date?
    private var otherEnd: Date?
    private var othersUnfinished = 0
    /// Whether the file counts this process among those that have not ended.
    private(set) var isCounted = false

    init(_ run: Report.Run) {
        self.run = run
    }

    var id: String { run.id }

    /// The run as it is to stand in the file: it has ended once every process has that began.
    var value: Report.Run {
        var run = run
        run.unfinished = othersUnfinished + (ownEnd == nil ? 1 : 0)
        run.finishedAt = run.unfinished == 0 ? [ownEnd, otherEnd].compactMap(\.self).max() : nil
        return run
    }

    /// Takes over what other processes have written of the same run.
    mutating func takeOver(_ other: Report.Run) {
        run.startedAt = min(run.startedAt, other.startedAt)
        othersUnfinished = max(0, other.unfinished - (isCounted ? 1 : 0))
        otherEnd = other.finishedAt
    }

    /// Notes that the file has what ``value`` says.
    mutating func noteWritten() {
        isCounted = ownEnd == nil
    }
}
