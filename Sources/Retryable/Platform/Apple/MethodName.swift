#if canImport(ObjectiveC)
    /// The name of a test method as it stands in the source, from the selector that Objective-C knows it by.
    ///
    /// Swift gives a method that throws or suspends a parameter there, for its error or for what follows it.
    func methodName(of selector: String) -> String {
        for suffix in ["AndReturnError:", "WithCompletionHandler:"] where selector.hasSuffix(suffix) {
            return String(selector.dropLast(suffix.count))
        }
        return selector
    }
#endif
