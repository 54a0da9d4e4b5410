import RetryReport

extension SwiftPMResults {
    /// SwiftPM's file with what was retried: the test cases that were retried have more in them, and one `failure` at most.
    /// All else is as SwiftPM wrote it.
    func completed(with retries: [FlakyTest]) -> XMLTree {
        var waiting = Dictionary(grouping: retries, by: \.junitName.withoutArguments)
        return root.completed(with: &waiting)
    }
}

extension XMLTree {
    /// - Parameter waiting: What is known of each test. Each record is used once.
    fileprivate func completed(with waiting: inout [JUnitName: [FlakyTest]]) -> XMLTree {
        var element = self
        guard name == "testcase" else {
            element.children = children.map { $0.completed(with: &waiting) }
            return element
        }
        let test = JUnitName(self)
        // A record of version 0.6.0 has no module.
        let retries = waiting.removeValue(forKey: test) ?? waiting.removeValue(forKey: test.withoutModule) ?? []
        var new = retries.flatMap(\.junitElements)
        if let told = new.firstIndex(where: { $0.role == .failed }) {
            // Only one failure for a test, because some tools read only the first: ours, which says what failed and why.
            for index in new.indices where index != told && new[index].role == .failed { new[index].role = .rerun }
            for failure in children where failure.name == "failure" { new[told].add(failure.attributes["message"]) }
            element.children.removeAll { $0.name == "failure" }
        }
        element.children = (new.map(\.xml) + element.children).sorted(byRank: { JUnitElement.rank(of: $0.name) })
        return element
    }
}
