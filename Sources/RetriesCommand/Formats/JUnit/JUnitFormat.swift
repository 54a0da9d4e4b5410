import RetryReport

/// The shape of Surefire's files: a suite of the tests that were retried, or of all tests where they are known.
struct JUnitFormat {
    func text(of overview: Overview) -> String {
        let cases = JUnitCase.all(in: overview)
        func count(_ element: String) -> Int { cases.count { $0.has(element) } }
        // SwiftPM's name for a suite of all tests.
        let name = overview.allTests == nil ? "Retryable" : "TestResults"
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"\(name)\" tests=\"\(cases.count)\""
        text += " errors=\"\(count("error"))\" failures=\"\(count("failure"))\" skipped=\"\(count("skipped"))\""
        text += " time=\"\(cases.reduce(0) { $0 + $1.duration }.seconds)\">\n"
        text += properties(of: overview)
        for test in cases {
            let (name, suite) = (XMLText.attribute(test.name.name), XMLText.attribute(test.name.suite))
            text += "  <testcase name=\"\(name)\" classname=\"\(suite)\" time=\"\(test.duration.seconds)\">\n"
            for element in test.elements { text += "    \(element.xml)\n" }
            text += "  </testcase>\n"
        }
        return text + "</testsuite>\n"
    }

    /// What has no place of its own in these files.
    private func properties(of overview: Overview) -> String {
        let steps = overview.report.worstStepsFirst.map { step in
            ("step", "\(step.action): \(step.ending), in \(step.fullName)\(step.atPlace)")
        }
        let facts: [(String, String?)] = [
            ("warning", overview.warning), ("commit", overview.origin.commit), ("branch", overview.origin.branch),
            ("job", overview.job),
        ]
        let properties = (facts + steps).compactMap { name, value in
            value.map { "    <property name=\"\(name)\" value=\"\(XMLText.attribute($0))\"/>\n" }
        }
        return properties.isEmpty ? "" : "  <properties>\n\(properties.joined())  </properties>\n"
    }
}
