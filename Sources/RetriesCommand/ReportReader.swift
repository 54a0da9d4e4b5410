import Foundation
import Groundwork
import RetryReport

/// The error for a report that does not exist, which `--allow-missing` accepts.
struct MissingReport: Error, CustomStringConvertible {
    let cause: String
    /// Whether the user named the file or folder. If not, the report may be elsewhere.
    var wasNamed = true

    var description: String {
        let advice = "Name one elsewhere, such as one of swift test --scratch-path, as a file: retries COMMAND FILE. "
        let elsewhere = wasNamed ? "" : advice
        let tests = "a RetryableTestCase or a test with .retryable or .flaky"
        let origin = "a run writes one as soon as \(tests) runs; none if it did not compile. "
        return "\(cause): \(origin)\(elsewhere)With --allow-missing, none is needed."
    }
}

/// Reads the reports that are a command's input, each one once, even if several arguments lead to it.
final class ReportReader {
    let context: CommandContext
    /// The command's output file. Folders are read without it, because it may hold the same records from an earlier call.
    private let output: String?
    /// Whether a report in a folder that cannot be read is logged and left out. That is right for many runs, where one torn
    /// file must not block the rest, and wrong for a check of one run, which could then pass.
    private let skipsUnreadable: Bool
    /// Assigns owners and, with `--owner`, keeps only that owner's part; `nil` if a report is only passed on.
    let ownership: Ownership?
    /// The identities of the files that it has read.
    private var seen: Set<String> = []

    init(context: CommandContext, output: String? = nil, skipsUnreadable: Bool = false, ownership: Ownership? = nil) {
        self.context = context
        self.output = output
        self.skipsUnreadable = skipsUnreadable
        self.ownership = ownership
    }

    /// Reads and merges all reports of `input`; `nil` if there are none and `input` allows that.
    ///
    /// - Parameter checked: A report of whose run none is taken.
    func report(_ input: ReportInput, without checked: Report? = nil) throws -> Report? {
        var found: [(file: InputFile, report: Report)] = []
        try read(input) { file, report in
            if let left = checked?.run, let run = report.run, run.parts.isOfRun(of: left.parts) {
                return context.log("left out \(file.name), which is of the run that is checked")
            }
            found.append((file, owned(withOrigin(report, of: file))))
        }
        guard !found.isEmpty else { return nil }
        let reports = found.map { file, report in
            var report = report
            for index in report.tests.indices where found.count > 1 && report.tests[index].shard == nil {
                report.tests[index].shard = file.name
            }
            return report
        }
        return Report(merging: reports)
    }

    func read(_ input: ReportInput, _ use: (InputFile, Report) -> Void) throws {
        func check(_ file: InputFile, _ report: Report) throws {
            try input.checkAge(of: report, file, now: context.now())
            use(file, report)
        }
        let paths: [String?] = input.paths.isEmpty ? [nil] : input.paths
        for path in paths {
            do {
                let file = try path.map(context.input) ?? defaultInput()
                if file.isFolder {
                    try read(folder: file, check)
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

    private func read(folder: InputFile, _ use: (InputFile, Report) throws -> Void) throws {
        let output = output.map { context.input($0).identity }
        var (known, new, unreadable) = (0, 0, 0)
        for file in try folder.candidates(in: context) {
            if file.identity == output {
                context.log("left out \(file.name), which is the output")
                continue
            }
            guard !seen.contains(file.identity) else {
                known += 1
                continue
            }
            do {
                let bytes = try file.bytes(in: context)
                guard file.isReport(bytes) else { continue }
                seen.insert(file.identity)
                try use(file, Report(json: bytes, at: file.name))
                new += 1
            } catch let error as ReportFileError where skipsUnreadable {
                unreadable += 1
                context.log("left out \(file.name), which \(error.cause)")
            }
        }
        guard known + new > 0 else {
            let cause = "the folder \(folder.name) holds no report"
            if unreadable == 0 { throw MissingReport(cause: cause) }
            throw Problem("\(cause) that can be read")
        }
        context.log("read \(new.of("report")) in \(folder.name)")
    }

    func owned(_ report: Report) -> Report { ownership?.assigned(to: report) ?? report }

    /// Returns `report` with this process's commit and job, and with the folder of the package that its file is in, if it names
    /// none of them, as after tests in a sandbox.
    func withOrigin(_ report: Report, of file: InputFile) -> Report {
        guard let known = report.run?.origin, (known.commit ?? known.branch ?? known.job ?? known.sources) == nil
        else { return report }
        let package = file.path.flatMap { FilePath($0).nearestFolder(holding: "Package.swift") }
        let folder = package ?? context.packageFolder ?? context.workingDirectory
        var origin = RunOrigin(environment: context.environment, workingDirectory: folder)
        if let folder = known.folder, folder != origin.folder {
            // The tests ran in another folder, for which this address of the sources is wrong.
            (origin.folder, origin.sources) = (folder, nil)
        }
        var report = report
        report.run?.origin = origin
        return report
    }

    /// The report to read if the arguments name none: that of `RETRYABLE_REPORT`, else the package's.
    private func defaultInput() throws -> InputFile {
        // In the tests, `URL(fileURLWithPath:)` expands a tilde.
        let path = EnvironmentVariable.report.value(in: context.environment)
            .map { NSString(string: $0).expandingTildeInPath }
        if let path, path.hasPrefix("/") || context.packageFolder != nil || !context.input(path).isMissing {
            return context.input(path)
        }
        guard let package = context.packageFolder else {
            // Not a missing one, because the tests may have run in another folder.
            let none = "there is no \(path.map { "report \($0), and no " } ?? "")Package.swift"
            let folder = context.workingDirectory
            throw Problem("\(none) in \(folder) or above, and so no report of a package: name it, retries COMMAND FILE")
        }
        let usual = ".build/\(ReportLocation.fileName)"
        let file = context.input(package == context.workingDirectory ? usual : "\(package)/\(usual)")
        guard file.isMissing else { return file }
        throw MissingReport(cause: "there is no report \(file.name)", wasNamed: false)
    }
}
