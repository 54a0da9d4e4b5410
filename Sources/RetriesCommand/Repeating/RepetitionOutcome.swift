import Groundwork
import RetryReport

/// The outcome of one run of a command that is run many times.
package enum RepetitionOutcome: String, CaseIterable, Encodable, CodingKeyRepresentable {
    case passed
    /// Something flaked, and nothing else went wrong.
    case flaked
    /// The command failed, and the flakes do not explain it.
    case failed
    case died

    /// - Parameter tests: The tests that the output names, of which the report may lack some that failed.
    init(_ ending: ProcessEnding, _ report: Report, _ tests: TestOutput) {
        let run = report.run
        let flakes = (report.marks ?? []).reduce(0) { $0 + $1.flakes }
        let hasFlaked = !report.tests.isEmpty || flakes > 0
        // In some modes, flakes alone make a run fail. In a strict one, the report has counts only: of each test, or case of a
        // test with arguments, the first failure in a section.
        let isFlakesOnly =
            run?.mode == "strict"
            ? Set(tests.failures.map(\.test)).count <= flakes
            : report.failsOnFlaky && report.tests.allSatisfy { $0.outcome == .recovered }
                && tests.unmarkedFailures(report).isEmpty
        switch ending {
        case .signal: self = .died
        case .exitCode where run != nil && run?.finishedAt == nil: self = .died
        // Behind a pipe, the code may be that of another command.
        case .exitCode(0) where !tests.unmarkedFailures(report).isEmpty: self = .failed
        case .exitCode(0): self = hasFlaked ? .flaked : .passed
        case .exitCode: self = hasFlaked && isFlakesOnly ? .flaked : .failed
        }
    }

    /// The totals, such as `190 passed, 7 flaked`, of all outcomes or of some.
    static func text(_ counts: [RepetitionOutcome: Int], _ outcomes: [RepetitionOutcome] = allCases) -> String {
        outcomes.map { "\(counts[$0, default: 0]) \($0)" }.joined(separator: ", ")
    }
}
