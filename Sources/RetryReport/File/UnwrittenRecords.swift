/// What a process has recorded and not written to the report's file yet.
struct UnwrittenRecords {
    /// The last that is known of each test, by its name and module: a test may be attempted thousands of times between two
    /// writes.
    private var retries: [String: FlakyTest] = [:]
    private var steps: [Step] = []
    /// How often each section has been entered since the process began.
    var marks: [MarkCount] = []
    private var tests: Set<String> = []
    private var stepCount = 0
    /// Whether a write is scheduled.
    private(set) var isScheduled = false

    /// With more records than this, writing the file for each change would take longer than the tests.
    private static let many = 256

    /// - Returns: Whether the file is to be written at once.
    mutating func put(_ retry: FlakyTest) -> Bool {
        let test = "\(retry.name) \(retry.module ?? "")"
        retries[test] = retry
        let isNew = tests.insert(test).inserted
        let isLong = retry.outcome == .pending && retry.attempts.count > Self.many
        return isNew || tests.count <= Self.many && !isLong
    }

    /// - Returns: Whether the file is to be written at once.
    mutating func put(_ step: Step) -> Bool {
        steps.append(step)
        stepCount += 1
        return stepCount <= Self.many
    }

    /// - Returns: Whether no write was scheduled before.
    mutating func schedule() -> Bool {
        defer { isScheduled = true }
        return !isScheduled
    }

    /// What was put since this was called before.
    mutating func take() -> (retries: [FlakyTest], steps: [Step], marks: [MarkCount]) {
        defer { (retries, steps, isScheduled) = ([:], [], false) }
        return (Array(retries.values), steps, marks)
    }
}
