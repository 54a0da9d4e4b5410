import Foundation
import Groundwork
import RetryReport

/// The reports that a command reads, as its arguments name them.
struct ReportInput {
    /// Files and folders; empty for the report of the package that the command is called in.
    var paths: [String]
    /// The age in seconds beyond which a report is refused.
    var maxAge: Double?
    /// `true` if a missing report is no error.
    var allowsMissing = false

    static let maxAgeOption = (
        form: "--max-age DURATION", help: "Refuse a report whose run ended longer ago: 90s, 30m, 2h, 1d."
    )
    static let allowMissingOption = (
        form: "--allow-missing", help: "Accept a missing report, for a job that may run no test that can be retried."
    )

    /// The help about files that several commands share.
    static let help = """
        FILE is a report (retryable-retries.json), a folder (for every report in it), or - (for standard input).
        Without FILE: what RETRYABLE_REPORT names, else the package's .build/retryable-retries.json, even from a subfolder.
        Several reports are shown as one, in which a test that flaked in two of them appears twice.
        """
}

extension ReportInput {
    init(_ arguments: Arguments) throws {
        paths = arguments.files
        maxAge = try arguments.duration("--max-age")
        allowsMissing = arguments.has("--allow-missing")
    }
}

/// The error that there is no report. Options decide whether it ends the command.
struct MissingReport: Error, CustomStringConvertible {
    let cause: String
    /// `false` if the user named no file or folder; the report may then be elsewhere.
    var wasNamed = true

    var description: String {
        let advice = "Name one elsewhere, such as one of swift test --scratch-path, as a file: retries COMMAND FILE. "
        let elsewhere = wasNamed ? "" : advice
        let tests = "a RetryableTestCase or a test with .retryable or .flaky"
        let origin = "a run writes one as soon as \(tests) runs; none if it did not compile. "
        return "\(cause): \(origin)\(elsewhere)With --allow-missing, none is needed."
    }
}

/// Reads the reports that a command is given.
struct ReportReader {
    let context: CommandContext
    /// The file that the command is to write. It is left out of folders, because an earlier one would be counted again.
    var output: String?

    /// Reads all reports that `input` names, as one; `nil` if there is no report and `input` allows that.
    func report(_ input: ReportInput) throws -> Report? {
        var found: [(file: InputFile, report: Report)] = []
        try read(input) { file, report in found.append((file, withOrigin(report))) }
        guard !found.isEmpty else { return nil }
        let reports = found.map { file, report in
            var report = report
            for index in report.retries.indices where found.count > 1 && report.retries[index].shard == nil {
                report.retries[index].shard = file.name
            }
            return report
        }
        return Report(merging: reports)
    }

    /// Reads each report that `input` names, once.
    func read(_ input: ReportInput, _ use: (InputFile, Report) -> Void) throws {
        func check(_ file: InputFile, _ report: Report) throws {
            try input.checkAge(of: report, file, now: context.now())
            use(file, report)
        }
        var seen: Set<String> = []
        let paths: [String?] = input.paths.isEmpty ? [nil] : input.paths
        for path in paths {
            do {
                let file = try path.map(context.input) ?? defaultInput()
                if file.isFolder {
                    try read(folder: file, &seen, check)
                } else if seen.insert(file.identity).inserted {
                    guard !file.isMissing else { throw MissingReport(cause: "there is no report \(file.name)") }
                    if path == nil { context.log("reading \(file.name)") }
                    try check(file, file.report(in: context))
                }
            } catch let missing as MissingReport where input.allowsMissing {
                context.log("\(missing.cause), which --allow-missing allows")
            }
        }
    }

    /// Reads every report in a folder. A file that cannot be read is named on standard error and left out.
    private func read(
        folder: InputFile,
        _ seen: inout Set<String>,
        _ use: (InputFile, Report) throws -> Void
    ) throws {
        let output = output.map { context.input($0).identity }
        let all = try folder.reports(in: context)
        for file in all where file.identity == output { context.log("left out \(file.name), which is the output") }
        let files = all.filter { $0.identity != output }
        let new = files.filter { seen.insert($0.identity).inserted }
        var count = 0
        for file in new {
            do {
                try use(file, file.report(in: context))
                count += 1
            } catch let error as ReportFileError {
                context.log("left out \(file.name), which \(error.cause)")
            }
        }
        guard count > 0 || new.count < files.count else {
            let cause = "the folder \(folder.name) holds no report"
            if files.isEmpty { throw MissingReport(cause: cause) }
            throw Problem("\(cause) that can be read")
        }
        context.log("read \(count.of("report")) in \(folder.name)")
    }

    /// `report` with the commit and the job of this process, if it has none, such as after tests in a sandbox.
    private func withOrigin(_ report: Report) -> Report {
        guard let known = report.run?.origin, (known.commit ?? known.branch ?? known.job ?? known.sources) == nil
        else { return report }
        let folder = context.packageFolder ?? context.workingDirectory
        var origin = RunOrigin(environment: context.environment, workingDirectory: folder)
        if let folder = known.folder, folder != origin.folder {
            // The tests ran in another folder, to which this address of the sources does not apply.
            (origin.folder, origin.sources) = (folder, nil)
        }
        var report = report
        report.run?.origin = origin
        return report
    }

    /// The report to read where none is named: the one that `RETRYABLE_REPORT` names, else the package's.
    private func defaultInput() throws -> InputFile {
        if let path = EnvironmentVariable.report.value(in: context.environment) { return context.input(path) }
        guard let package = context.packageFolder else {
            let folder = context.workingDirectory
            let cause = "there is no Package.swift in \(folder) or above, and so no report of a package"
            throw MissingReport(cause: cause, wasNamed: false)
        }
        let path = ".build/\(ReportLocation.fileName)"
        let file = context.input(package == context.workingDirectory ? path : "\(package)/\(path)")
        guard file.isMissing else { return file }
        throw MissingReport(cause: "there is no report \(file.name)", wasNamed: false)
    }
}

extension ReportInput {
    /// Refuses a report whose run ended longer ago than `maxAge`.
    fileprivate func checkAge(of report: Report, _ file: InputFile, now: Date) throws {
        guard let maxAge else { return }
        guard let end = report.lastEvent else {
            throw Problem("the report \(file.name) does not say when its run was, so --max-age refuses it")
        }
        let age = now.timeIntervalSince(end)
        guard age > maxAge else { return }
        throw Problem(
            "the report \(file.name) is of an older run, which ended \(Times.text(end)), \(Durations.ago(age)), "
                + "and --max-age is \(Durations.text(maxAge)): did the tests run?"
        )
    }
}
