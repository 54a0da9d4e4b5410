/// A history as other tools read it.
struct HistoryDocument: Encodable {
    var schemaVersion = 1
    /// The newest run last.
    var runs: [History.Run]
    var marks: [Mark]
    /// After how many runs without a flake a mark can go.
    var stale: Int

    init(_ history: History) {
        runs = history.runs
        marks = history.marks.map { Mark(mark: $0) }
        stale = history.enough
    }

    struct Mark: Encodable {
        let mark: MarkHistory
        private static let trendWidth = 60

        private enum CodingKeys: CodingKey {
            case file, line, module, reason, fixable, maxRetryCount, rate, rateLow, rateHigh, firstSeen, lastSeen
            case isInNewestRun, lastFlake, tests, trend, verdict, why
        }

        func encode(to encoder: any Encoder) throws {
            // Its keys stand beside those of the mark.
            try mark.evidence.encode(to: encoder)
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encodeIfPresent(mark.file, forKey: .file)
            try values.encodeIfPresent(mark.line, forKey: .line)
            try values.encodeIfPresent(mark.newest.module, forKey: .module)
            try values.encode(mark.newest.reason, forKey: .reason)
            try values.encode(mark.newest.fixable, forKey: .fixable)
            try values.encode(mark.newest.maxRetryCount, forKey: .maxRetryCount)
            if mark.evidence.runs > 0 {
                try values.encode(mark.evidence.rate, forKey: .rate)
                try values.encode(mark.evidence.interval.low, forKey: .rateLow)
                try values.encode(mark.evidence.interval.high, forKey: .rateHigh)
            }
            try values.encodeIfPresent(mark.firstSeen, forKey: .firstSeen)
            try values.encodeIfPresent(mark.lastSeen, forKey: .lastSeen)
            try values.encode(mark.isInNewestRun, forKey: .isInNewestRun)
            try values.encodeIfPresent(mark.lastFlake, forKey: .lastFlake)
            try values.encode(mark.tests, forKey: .tests)
            try values.encode(mark.trend(width: Self.trendWidth).blocks, forKey: .trend)
            try values.encode(mark.verdict.rawValue, forKey: .verdict)
            try values.encode(mark.why, forKey: .why)
        }
    }
}
