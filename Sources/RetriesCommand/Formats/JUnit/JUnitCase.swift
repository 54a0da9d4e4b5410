import Foundation
import Groundwork
import RetryReport

/// One part of a `testcase`, in the shape that Surefire publishes.
struct JUnitElement {
    /// In the order in which Surefire's rules want them.
    enum Kind: String, CaseIterable {
        case failure, rerunFailure, flakyFailure, skipped, error, rerunError, flakyError
        case standardOutput = "system-out"
        case standardError = "system-err"

        /// Where elements of this name stand among others; those of unknown names come last.
        static func rank(of name: String) -> Int {
            allCases.firstIndex { $0.rawValue == name } ?? allCases.count
        }
    }

    var kind: Kind
    var message: String
    var type: String
    var trace: String

    private static let longestMessage = 2000

    /// Whether this is what fails the test.
    var isFailure: Bool { kind == .failure || kind == .error }

    /// Makes this one of the attempts after the first that failed.
    mutating func becomeRerun() {
        switch kind {
        case .failure: kind = .rerunFailure
        case .error: kind = .rerunError
        default: break
        }
    }

    /// Takes over another tool's message, unless it says what this says already, or nothing: SwiftPM writes `failure` for any
    /// XCTest, and marks the severity in a message of Swift Testing.
    mutating func add(_ message: String?) {
        guard let message, message != "failure", !trace.contains(message.replacingOccurrences(of: " (error)", with: ""))
        else {
            return
        }
        trace += "\n\(message)"
    }

    var xml: String {
        let message = XMLText.attribute(message.cut(to: Self.longestMessage))
        let name = kind.rawValue
        let opening = "<\(name) message=\"\(message)\" type=\"\(XMLText.attribute(type))\">"
        let trace = XMLText.content(trace)
        let hasChild = kind != .failure && kind != .error
        return hasChild ? "\(opening)<stackTrace>\(trace)</stackTrace></\(name)>" : "\(opening)\(trace)</\(name)>"
    }
}

extension Retry {
    var junitName: JUnitName { JUnitName(name, module: module) }

    /// What went wrong, one element for each attempt that did.
    var junitElements: [JUnitElement] {
        var elements = attempts.filter { !$0.failures.isEmpty }.map(junitElement)
        switch outcome {
        case .recovered, nil:
            if elements.isEmpty {
                let message = "was retried \(attemptedRetries.plausible.of("time")): \(reason)"
                let trace = "\(message)\n\(junitMark)"
                elements = [JUnitElement(kind: .flakyFailure, message: message, type: "assertion", trace: trace)]
            }
        case .failed:
            for index in elements.indices {
                let isError = elements[index].kind == .flakyError
                elements[index].kind =
                    index == 0 ? (isError ? .error : .failure) : (isError ? .rerunError : .rerunFailure)
            }
            if elements.isEmpty { elements = [junitError("failed, and its report does not say with what", "failed")] }
        case .pending:
            for index in elements.indices {
                elements[index].kind = elements[index].kind == .flakyError ? .rerunError : .rerunFailure
            }
            elements.append(junitError("flaked, and its process ended before it could be retried", "pending"))
        }
        return elements.enumerated().sorted { first, second in
            let ranks = (
                JUnitElement.Kind.rank(of: first.element.kind.rawValue),
                JUnitElement.Kind.rank(of: second.element.kind.rawValue)
            )
            return ranks.0 == ranks.1 ? first.offset < second.offset : ranks.0 < ranks.1
        }.map(\.element)
    }

    private func junitError(_ message: String, _ type: String) -> JUnitElement {
        JUnitElement(kind: .error, message: message, type: type, trace: "\(message)\n\(junitMark)")
    }

    private func junitElement(_ attempt: Retry.Attempt) -> JUnitElement {
        let first = attempt.mainFailure
        let failures = attempt.failures.map { failure in
            let aftermath = failure.isAftermath ? "afterwards: " : ""
            return "\(aftermath)\(failure.words)" + (failure.place.map { "\n    at \($0)" } ?? "")
        }
        let heading = "\(name): attempt \(attempt.number) of \(allowedAttempts), \(attempt.outcome.rawValue)"
        return JUnitElement(
            kind: first?.kind == .error ? .flakyError : .flakyFailure,
            message: first?.words ?? "",
            type: first?.kind.rawValue ?? "assertion",
            trace: (failures + [heading, junitMark]).joined(separator: "\n")
        )
    }

    private var junitMark: String {
        let run = run.map { "\nrun \($0)" } ?? ""
        return "\(markName): \(reason)" + (place.map { "\n    at \($0)" } ?? "") + run
    }
}
