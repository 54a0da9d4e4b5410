import Foundation
import Groundwork
import RetryReport

/// A report as a file like Surefire's: SwiftPM's own file, completed, or else a suite of the tests that were retried.
struct JUnitFormat {
    func text(of overview: Overview) -> String {
        let root = overview.allTests?.completed(with: overview.report.retries) ?? suite(of: overview)
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(root.xml())"
    }

    private func suite(of overview: Overview) -> XMLTree {
        let tests = overview.report.retries.worstFirst
        let cases = tests.map { test in
            let name = test.testName
            return XMLTree(
                name: "testcase",
                attributes: ["name": name.name, "classname": name.suite, "time": test.duration.seconds],
                children: test.junitElements.map(\.xml)
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

/// One element of a `testcase`, as Surefire defines it.
struct JUnitElement {
    /// The meaning of an attempt for its test.
    enum Role { case failed, rerun, flaky }

    var role: Role
    var isError: Bool
    var message: String
    var type: String
    var trace: String

    private static let longestMessage = 2000

    /// The names in the order of Surefire's schema.
    private static let names = [
        "failure", "rerunFailure", "flakyFailure", "skipped", "error", "rerunError", "flakyError", "system-out",
        "system-err",
    ]

    /// The position of an element among others; unknown names come last.
    static func rank(of name: String) -> Int { names.firstIndex(of: name) ?? names.count }

    fileprivate var name: String {
        let kind = isError ? "Error" : "Failure"
        return role == .failed ? kind.lowercased() : "\(role)\(kind)"
    }

    /// Adds SwiftPM's message, unless it says the same or nothing.
    ///
    /// SwiftPM writes `failure` for any XCTest, and adds the severity to a message of Swift Testing.
    mutating func add(_ message: String?) {
        guard let message, message != "failure", !trace.contains(message.replacingOccurrences(of: " (error)", with: ""))
        else { return }
        trace += "\n\(message)"
    }

    var xml: XMLTree {
        var element = XMLTree(name: name, attributes: ["message": message.cut(to: Self.longestMessage), "type": type])
        if role == .failed {
            element.text = trace
        } else {
            element.children = [XMLTree(name: "stackTrace", text: trace)]
        }
        return element
    }
}

extension FlakyTest {
    /// The failures, one element for each attempt that had any.
    var junitElements: [JUnitElement] {
        var elements = attempts.filter { !$0.failures.isEmpty }.map(junitElement)
        func add(_ role: JUnitElement.Role, _ message: String, _ type: String) {
            let trace = "\(message)\n\(junitMark)"
            let isError = role == .failed
            elements.append(JUnitElement(role: role, isError: isError, message: message, type: type, trace: trace))
        }
        switch outcome {
        case .recovered, nil:
            if elements.isEmpty { add(.flaky, "was retried \(attemptedRetries.of("time"))", "assertion") }
        case .failed:
            let main = attempts.filter { !$0.failures.isEmpty }.firstIndex { $0.number == mainFailure?.attempt }
            for index in elements.indices { elements[index].role = index == main ? .failed : .rerun }
            if elements.isEmpty { add(.failed, "failed, and its report does not say with what", "failed") }
        case .pending:
            for index in elements.indices { elements[index].role = .rerun }
            add(.failed, "flaked, and its process ended before a retry did", "pending")
        }
        return elements.sorted { JUnitElement.rank(of: $0.name) < JUnitElement.rank(of: $1.name) }
    }

    private func junitElement(_ attempt: AttemptRecord) -> JUnitElement {
        let first = attempt.mainFailure
        let failures = attempt.failures.map { failure in
            let aftermath = failure.isAftermath ? "afterwards: " : ""
            return "\(aftermath)\(failure.displayMessage)" + (failure.place.map { "\n    at \($0)" } ?? "")
        }
        let heading = "\(name): attempt \(attempt.number) of \(allowedAttempts), \(attempt.outcome.rawValue)"
        return JUnitElement(
            role: .flaky,
            isError: first?.kind == .error,
            message: first?.displayMessage ?? "",
            type: first?.kind.rawValue ?? "assertion",
            trace: (failures + [heading, junitMark]).joined(separator: "\n")
        )
    }

    private var junitMark: String {
        let run = (shard ?? run).map { "\nrun \($0)" } ?? ""
        return "reason: \(reason) (\(markName))" + (place.map { "\n    at \($0)" } ?? "") + run
    }
}
