import RetryReport

/// The shape of Surefire's files: a suite of the tests that were retried.
struct JUnitFormat {
    func text(of overview: Overview) -> String {
        let report = overview.report
        let cases = report.worstFirst.map { (retry: $0, elements: $0.junitElements) }
        let errors = cases.count { $0.elements.contains { $0.name == "error" } }
        let failures = cases.count { $0.elements.contains { $0.name == "failure" } }
        let time = report.retries.reduce(0) { $0 + $1.duration }.seconds
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuite name=\"Retryable\" tests=\"\(cases.count)\" errors=\"\(errors)\" failures=\"\(failures)\""
        text += " skipped=\"0\" time=\"\(time)\">\n"
        text += properties(of: overview)
        for (retry, elements) in cases {
            let name = retry.junitName
            text +=
                "  <testcase name=\"\(XMLText.attribute(name.name))\" classname=\"\(XMLText.attribute(name.suite))\""
            text += " time=\"\(retry.duration.seconds)\">\n"
            for element in elements { text += "    \(element.xml)\n" }
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
