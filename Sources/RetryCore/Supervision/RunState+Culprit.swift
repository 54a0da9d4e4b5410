extension RunState {
    /// Who has to answer for the death of a process.
    package enum Culprit: Hashable, Sendable {
        case test(Int)
        case suite(Int)
    }

    /// Who has to answer if the process dies now: the test that runs, or else the next one of the suite that is open,
    /// so that a class which cannot be set up fails its tests one by one. Where there is none, the suite itself.
    package var culprit: Culprit {
        if let attempt { return .test(attempt.test) }
        let suite = innermost
        let next = tests.indices.first { tests[$0].suite == suite && !tests[$0].hasEnded }
        return next.map(Culprit.test) ?? .suite(suite)
    }
}
