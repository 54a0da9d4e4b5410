/// Is told what would be lost if the process died.
package protocol RunWitness: AnyObject, Sendable {
    /// A section was entered or left.
    ///
    /// - Parameters:
    ///   - open: The sections that are open now, in the order in which they were entered.
    ///   - attempt: The attempt whose sections they are.
    func changeSections(to open: [Section], of attempt: Attempt)

    /// An attempt has flaked for the first time, because of a section.
    func noteFlake(in section: Section, of attempt: Attempt)

    /// What the run's mode has done has changed.
    func changeCounts(to counts: RunCounts)
}

/// The witness of this process; none, unless the environment asks for supervision.
package enum RunWitnesses {
    /// Set at most once, before the first test.
    nonisolated(unsafe) package static var current: (any RunWitness)?
}
