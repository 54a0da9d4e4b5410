import Foundation
import Groundwork
import RetryReport

/// A report as a file like Surefire's: SwiftPM's own file, completed, or else a suite of the tests that were retried.
struct JUnitFormat {
    func text(of overview: Overview) -> String {
        let records = Dictionary(grouping: overview.report.tests, by: \.junitName.withoutArguments)
        let root = overview.allTests?.root.completed(with: records) ?? suite(of: overview)
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root.xml())"
    }

    private func suite(of overview: Overview) -> XMLTree {
        let tests = overview.report.tests.worstFirst
        let cases = tests.map { test in
            let name = test.junitName
            return XMLTree(
                name: "testcase",
                attributes: ["name": name.name, "classname": name.suite, "time": test.duration.seconds],
                children: test.junitElements()
            )
        }
        func count(_ element: String) -> String { "\(cases.count { $0.children.contains { $0.name == element } })" }
        return XMLTree(
            name: "testsuite",
            attributes: [
                "name": "Retryable", "tests": "\(cases.count)", "errors": count("error"), "failures": count("failure"),
                "skipped": "0", "time": tests.reduce(0) { $0 + $1.duration }.seconds,
            ],
            children: properties(of: overview) + cases
        )
    }

    /// The facts that have no place of their own in these files.
    private func properties(of overview: Overview) -> [XMLTree] {
        let steps = overview.report.worstStepsFirst.map { ("step", "\($0.sentence)\($0.atPlace)") }
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

/// The elements of a `testcase`, as Surefire's schema defines them.
extension TestRecord {
    /// One element for each attempt that failed, and one for the test's end where no attempt shows it.
    ///
    /// - Parameter isFailure: Whether this record has the `failure` or `error`, of which a test case may have one.
    func junitElements(isFailure: Bool = true) -> [XMLTree] {
        let main = outcome == .failed ? shownAttempts.first?.number : nil
        let role = isBad ? "rerun" : "flaky"
        var elements = attempts.compactMap { attempt in
            attempt.mainFailure.map { failure in
                let role = attempt.number == main && isFailure ? nil : role
                let message = failure.displayMessage
                return junitElement(role, failure.kind == .error, message, failure.kind.rawValue, trace(of: attempt))
            }
        }
        if main == nil, isBad || elements.isEmpty {
            let type = outcome?.rawValue ?? "unknown"
            elements.append(junitElement(isBad && isFailure ? nil : role, isBad, ending, type, [ending]))
        }
        return elements.inSurefireOrder
    }

    /// - Parameter role: The meaning of the attempt for its test; `nil` for the failure of the test.
    private func junitElement(_ role: String?, _ isError: Bool, _ message: String, _ type: String, _ trace: [String])
        -> XMLTree
    {
        let kind = isError ? "Error" : "Failure"
        let run = runName.map { ["run \($0)"] } ?? []
        let place = place.map { ["    at \($0)"] } ?? []
        let text = (trace + [mark.words] + place + run).joined(separator: "\n")
        let attributes = ["message": message.cut(to: 2000), "type": type]
        guard let role else { return XMLTree(name: kind.lowercased(), attributes: attributes, text: text) }
        let children = [XMLTree(name: "stackTrace", text: text)]
        return XMLTree(name: role + kind, attributes: attributes, children: children)
    }

    private func trace(of attempt: AttemptRecord) -> [String] {
        let failures = attempt.failures.map { failure in
            let aftermath = failure.isAftermath ? "afterwards: " : ""
            return "\(aftermath)\(failure.displayMessage)" + (failure.place.map { "\n    at \($0)" } ?? "")
        }
        return failures + ["\(name): attempt \(attempt.number) of \(allowedAttempts), \(attempt.outcome.rawValue)"]
    }
}

extension XMLTree {
    /// A file of SwiftPM with the attempts of the tests that were retried; all else is as SwiftPM wrote it.
    fileprivate func completed(with tests: [JUnitName: [TestRecord]]) -> XMLTree {
        var element = self
        element.children = children.map { $0.completed(with: tests) }
        guard name == "testcase", let tests = tests[junitName] else { return element }
        let failed = tests.firstIndex(where: \.isBad)
        var new = tests.enumerated().flatMap { index, test in test.junitElements(isFailure: index == failed) }
        if let main = new.firstIndex(where: \.isFailure) {
            // Only one failure for a test, because some tools read only the first: the report's, which has the cause.
            for message in children.filter(\.isFailure).compactMap(\.failureMessage) {
                // SwiftPM adds the severity to a message of Swift Testing.
                let isKnown = new[main].text.contains(message.replacingOccurrences(of: " (error)", with: ""))
                if !isKnown { new[main].text += "\n\(message)" }
            }
            element.children.removeAll(where: \.isFailure)
        }
        element.children = (new + element.children).inSurefireOrder
        return element
    }
}

extension [XMLTree] {
    /// The order of Surefire's schema; unknown elements come last.
    fileprivate var inSurefireOrder: [XMLTree] {
        let names = [
            "failure", "rerunFailure", "flakyFailure", "skipped", "error", "rerunError", "flakyError", "system-out",
            "system-err",
        ]
        func rank(_ element: XMLTree) -> Int { names.firstIndex(of: element.name) ?? names.count }
        return sorted { rank($0) < rank($1) }
    }
}
