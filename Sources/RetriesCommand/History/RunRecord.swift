import Foundation
import Groundwork
import RetryReport

/// What a history keeps of one report: far less than the report, of which there may be thousands.
struct RunRecord {
    /// `nil` for a report of version 0.6.0, which did not say.
    var id: String?
    var startedAt: Date?
    /// Whether a process of the run has not ended.
    var isUnfinished: Bool
    /// Whether the report says how often each mark was entered.
    var countsMarks: Bool
    var sightings: [Sighting]

    /// A mark, as the report has it.
    struct Sighting {
        /// Which of the texts.
        var text: Int
        var line: Int?
        var attempts = 0
        var flakes = 0
        var failures = 0
        var tests: [FlakedTest] = []
    }

    init(_ report: Report, _ texts: inout MarkTexts) {
        id = report.run?.id
        startedAt = report.run?.startedAt
        isUnfinished = report.run.map { $0.finishedAt == nil } ?? false
        countsMarks = report.marks != nil
        sightings = (report.marks ?? []).map { mark in
            Sighting(
                text: texts.number(of: MarkText(mark)),
                line: mark.line,
                attempts: mark.runs.plausible,
                flakes: mark.flakes.plausible,
                failures: mark.failures.plausible
            )
        }
        for retry in report.retries { add(retry, &texts) }
    }

    /// Takes over what a test that flaked says of its mark.
    private mutating func add(_ retry: Retry, _ texts: inout MarkTexts) {
        let text = texts.number(of: MarkText(retry))
        let test = FlakedTest(retry)
        guard let index = sightings.firstIndex(where: { $0.text == text && $0.line == retry.line }) else {
            sightings.append(Sighting(text: text, line: retry.line, tests: [test]))
            return
        }
        sightings[index].tests.append(test)
        if isUnfinished, countsMarks {
            // A process that died may have told of the flake and not have come to count it.
            let flakes = sightings[index].tests.reduce(0) { $0 + $1.flakes }
            sightings[index].flakes = max(sightings[index].flakes, flakes)
            sightings[index].attempts = max(sightings[index].attempts, flakes + sightings[index].failures)
        }
    }

    /// How much it tells: of two copies of one report, the later one tells more.
    var weight: Int { sightings.reduce(isUnfinished ? 0 : 1) { $0 + $1.attempts + $1.tests.count } }
}

/// What the marks of many reports say, each once.
struct MarkTexts {
    private(set) var all: [MarkText] = []
    private var numbers: [MarkText: Int] = [:]

    mutating func number(of text: MarkText) -> Int {
        if let number = numbers[text] { return number }
        numbers[text] = all.count
        all.append(text)
        return all.count - 1
    }
}

extension MarkText {
    fileprivate init(_ mark: MarkCount) {
        self.init(
            file: mark.file,
            module: mark.module,
            reason: mark.reason,
            fixable: mark.fixable,
            maxRetryCount: mark.maxRetryCount
        )
    }

    fileprivate init(_ retry: Retry) {
        self.init(
            file: retry.file,
            module: retry.module,
            reason: retry.reason,
            fixable: retry.fixable,
            maxRetryCount: retry.maxRetriesAllowed
        )
    }
}

extension FlakedTest {
    fileprivate init(_ retry: Retry) {
        let failure = retry.attempts.last { $0.outcome == .flaked }?.mainFailure
        // Before each retry, an attempt had flaked; version 0.6.0 tells no more than the number of retries.
        let flakes = retry.attempts.isEmpty ? retry.attemptedRetries : retry.attempts.count { $0.outcome == .flaked }
        self.init(
            name: retry.name,
            module: retry.module,
            startedAt: retry.attempts.first?.startedAt,
            message: failure?.words,
            place: failure?.place,
            flakes: max(1, flakes.plausible),
            seconds: retry.timeLost
        )
    }
}
