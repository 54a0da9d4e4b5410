#if !canImport(ObjectiveC)
    import Foundation
    import RetryCore

    /// Writes one line about a step into the test's log, which here is standard error.
    func note(step line: String) {
        FileHandle.standardError.write(Data("\(line.escapingControlCharacters)\n".utf8))
    }
#endif
