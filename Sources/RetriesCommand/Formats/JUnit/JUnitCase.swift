import RetryReport

/// A test, as JUnit files have it.
struct JUnitCase {
    var name: JUnitName
    var duration: Double
    var elements: [JUnitElement]

    /// The tests that were retried. With SwiftPM's file, all tests in its order, and last those that it does not have.
    static func all(in overview: Overview) -> [JUnitCase] {
        let retries = overview.report.worstFirst
        guard let tests = overview.allTests?.tests else { return retries.map(JUnitCase.init) }
        var waiting = Dictionary(grouping: retries, by: \.junitName.withoutArguments)
        let cases = tests.map { test in
            // Each record is used once; one of version 0.6.0 has no module.
            let known = waiting.removeValue(forKey: test.name) ?? waiting.removeValue(forKey: test.name.withoutModule)
            return JUnitCase(test, retries: known ?? [])
        }
        return cases + retries.filter { waiting[$0.junitName.withoutArguments] != nil }.map(JUnitCase.init)
    }

    private init(_ retry: Retry) {
        name = retry.junitName
        duration = retry.duration
        elements = retry.junitElements
    }

    private init(_ test: SwiftPMResults.Test, retries: [Retry]) {
        name = test.name
        duration = test.duration
        elements = retries.flatMap(\.junitElements)
        if let told = elements.firstIndex(where: { $0.role == .failed }) {
            // One failure for a test: who reads but the first is to read ours, which says what failed and why.
            for index in elements.indices where index != told && elements[index].role == .failed {
                elements[index].role = .rerun
            }
            for message in test.messages { elements[told].add(message) }
        } else if test.outcome != .passed {
            let role = test.outcome == .failed ? JUnitElement.Role.failed : .skipped
            elements += (test.messages.isEmpty ? [test.message] : test.messages).map { message in
                JUnitElement(role: role, isError: false, message: message, type: "failed", trace: message)
            }
        }
        elements = elements.inOrder
    }

    func has(_ element: String) -> Bool { elements.contains { $0.name == element } }
}
