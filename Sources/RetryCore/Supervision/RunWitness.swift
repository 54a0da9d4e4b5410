/// Hears what would be lost with a process that dies.
package protocol RunWitness: AnyObject, Sendable {
    /// A section was entered or left.
    ///
    /// - Parameters:
    ///   - open: The sections that are open now, in the order in which they were entered.
    ///   - attempt: The attempt whose sections they are.
    func changeSections(to open: [Section], of attempt: Attempt)

    /// An attempt has flaked for the first time, because of a section.
    func noteFlake(in section: Section, of attempt: Attempt)

    /// The run's mode has done something.
    func changeEffects(to effects: RunSummary.Effects)
}

/// Whoever hears of this process's sections; nobody, unless the environment asks for it.
package enum RunWitnesses {
    /// Set at most once, before the first test.
    nonisolated(unsafe) package static var current: (any RunWitness)?
}
