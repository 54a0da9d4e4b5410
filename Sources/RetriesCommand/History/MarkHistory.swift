import Foundation

/// A mark, and what became of it in the runs that are looked at.
struct MarkHistory {
    /// What the newest run says of it.
    var text: MarkText
    /// Where it was last; `nil` if no report says.
    var line: Int?
    var evidence = Evidence()
    /// The runs that entered it, in order.
    var sightings: [Sighting] = []
    /// When the first and the last of these runs began; `nil` if none says.
    var firstSeen: Date?
    var lastSeen: Date?
    var lastFlake: LastFlake?
    /// The tests that flaked because of it, those that cost most first.
    var tests: [FlakedTest] = []
    /// Whether the newest run entered it. One that it did not enter may have been taken away.
    var isInNewestRun = false
    var verdict = MarkVerdict.new

    /// A run that entered the mark.
    struct Sighting {
        /// Which of the runs, in their order.
        var run: Int
        var flaked: Bool
    }

    /// When the mark flaked last, and with what.
    struct LastFlake {
        var at: Date?
        /// `nil` where the mode of the run allowed no flake, so that no test was retried.
        var test: FlakedTest?
    }

    var seconds: Double { tests.reduce(0) { $0 + $1.seconds } }
}

extension MarkHistory: Located {
    var file: String? { text.file }
}

/// What the source says of a mark, but for the line.
struct MarkText: Hashable {
    var file: String?
    var module: String?
    var reason: String
    var fixable: Bool
    var maxRetryCount: Int

    var kind: String { fixable ? "fixable" : "not fixable" }
}

/// A test that flaked because of a mark, in one run or in several.
struct FlakedTest {
    var name: String
    var module: String?
    var startedAt: Date?
    /// What it failed with.
    var message: String?
    var place: String?
    /// How many attempts flaked.
    var flakes: Int
    /// The time that its retries took.
    var seconds: Double

    var fullName: String { module.map { "\($0) \(name)" } ?? name }
}
