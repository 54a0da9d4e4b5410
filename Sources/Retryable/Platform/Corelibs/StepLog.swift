#if !canImport(ObjectiveC)
    import Groundwork

    /// Writes one line about a step into the test's log, which here is standard error.
    func note(step line: String) {
        writeToStandardError(line)
    }
#endif
