import RetryReport

/// The shape of Surefire's files, which Jenkins, GitLab and Allure read: a suite of the tests that flaked.
struct JUnitFormat {
    func text(of report: Report) -> String {
        let cases = report.retries.map { (retry: $0, elements: $0.junitElements) }
        let errors = cases.filter { $0.elements.contains { $0.kind == .error } }.count
        let failures = cases.filter { $0.elements.contains { $0.kind == .failure } }.count
        let time = report.retries.reduce(0) { $0 + $1.duration }.seconds
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuite name=\"Retryable\" tests=\"\(cases.count)\" errors=\"\(errors)\" failures=\"\(failures)\""
        text += " skipped=\"0\" time=\"\(time)\">\n"
        text += properties(report.steps)
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

    /// Steps have no place of their own in these files.
    private func properties(_ steps: [Step]) -> String {
        guard !steps.isEmpty else { return "" }
        let properties = steps.map { step in
            let outcome = step.succeeded ? "succeeded" : "failed"
            let place = step.place.map { ", at \($0)" } ?? ""
            let count = step.retries.sane.of("retry", "retries")
            let value = "\(step.action): \(outcome) after \(count), in \(step.fullName)\(place)"
            return "    <property name=\"step\" value=\"\(XMLText.attribute(value))\"/>\n"
        }
        return "  <properties>\n\(properties.joined())  </properties>\n"
    }
}
