import Foundation
import RetryReport

/// The arguments that say which reports a command reads, and which it accepts.
struct ReportInput {
    /// Files and folders; empty for the report of the current package.
    var paths: [String]
    /// The greatest age of a report, in seconds.
    var maxAge: Double?
    var allowsMissing = false

    static let maxAgeOption = (
        form: "--max-age DURATION", help: "Refuse a report whose run ended longer ago: 90s, 30m, 2h, 1d."
    )
    static let allowMissingOption = (
        form: "--allow-missing", help: "Accept a missing report, for a job that may run no test that can be retried."
    )

    /// The help about FILE arguments, which several commands share.
    static let help = """
        FILE is a report (retryable-retries.json), a folder (for every report in it), or - (for standard input).
        Without FILE: what RETRYABLE_REPORT names, else the package's .build/retryable-retries.json, even from a subfolder.
        Several reports are shown as one, in which a test that flaked in two of them appears twice.
        """
}

extension ReportInput {
    init(_ arguments: Arguments) throws {
        paths = arguments.files
        // A variable that is not set, perhaps. As a path, it would be the working folder.
        guard !paths.contains("") else { throw Problem("FILE is empty: give the path of a report, or none") }
        maxAge = try arguments.duration("--max-age")
        allowsMissing = arguments.has("--allow-missing")
    }

    func checkAge(of report: Report, _ file: InputFile, now: Date) throws {
        guard let maxAge, !(allowsMissing && report.isOfNoRun) else { return }
        guard let end = report.lastEvent else {
            throw Problem("the report \(file.name) does not say when its run was, so --max-age refuses it")
        }
        let age = now.timeIntervalSince(end)
        guard abs(age) > maxAge else { return }
        throw Problem(
            "the report \(file.name) is of another run, which ended \(Times.text(end)), \(Durations.ago(age)), "
                + "and --max-age is \(Durations.text(maxAge)): did the tests run?"
        )
    }
}
