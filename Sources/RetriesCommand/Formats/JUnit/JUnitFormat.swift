import RetryReport

/// The shape of Surefire's files: SwiftPM's own file, completed, or where there is none a suite of the tests that were
/// retried.
struct JUnitFormat {
    func text(of overview: Overview) -> String {
        let root = overview.allTests?.completed(with: overview.report.retries) ?? suite(of: overview)
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root.xml())"
    }

    private func suite(of overview: Overview) -> XMLTree {
        let report = overview.report
        let cases = report.worstFirst.map { retry in
            let name = retry.junitName
            return XMLTree(
                name: "testcase",
                attributes: ["name": name.name, "classname": name.suite, "time": retry.duration.seconds],
                children: retry.junitElements.map(\.xml)
            )
        }
        func count(_ element: String) -> String { "\(cases.count { $0.children.contains { $0.name == element } })" }
        return XMLTree(
            name: "testsuite",
            attributes: [
                "name": "Retryable", "tests": "\(cases.count)", "errors": count("error"), "failures": count("failure"),
                "skipped": "0", "time": report.retries.reduce(0) { $0 + $1.duration }.seconds,
            ],
            children: properties(of: overview) + cases
        )
    }

    /// What has no place of its own in these files.
    private func properties(of overview: Overview) -> [XMLTree] {
        let steps = overview.report.worstStepsFirst.map { step in
            ("step", "\(step.action): \(step.ending), in \(step.fullName)\(step.atPlace)")
        }
        let facts: [(String, String?)] = [
            ("warning", overview.warning), ("commit", overview.origin.commit), ("branch", overview.origin.branch),
            ("job", overview.job),
        ]
        let properties = (facts + steps).compactMap { name, value in
            value.map { XMLTree(name: "property", attributes: ["name": name, "value": $0]) }
        }
        return properties.isEmpty ? [] : [XMLTree(name: "properties", children: properties)]
    }
}
