import Foundation
import Groundwork
import RetryReport

/// Which reports a command reads, as its arguments say.
struct ReportInput {
    var names: [String]
    /// The age in seconds beyond which a report is refused, with the words that asked for it.
    var maxAge: (seconds: Double, text: String)?
    /// Whether it is fine that there is no report.
    var allowsMissing = false

    static let maxAge = Syntax.Option(
        "--max-age DURATION",
        "Refuse a report whose run ended longer ago: 90s, 30m, 2h, 1d."
    )
    static let allowMissing = Syntax.Option(
        "--allow-missing",
        "It is fine if there is no report: for a job that may run no test that can be retried."
    )
    /// What makes a report, for a message where there is none.
    static let whatMakesOne =
        "a run writes one as soon as a RetryableTestCase, or a test with .retryable or .flaky, has run; "
        + "--allow-missing if it need not have any"

    /// What every command says of its files.
    static let help = """
        FILE is a report (retryable-retries.json), a folder, which means every report in it, or - for standard input.
        Without one: what RETRYABLE_REPORT names, else the newest .build/*/retryable-retries.json.
        Several reports are shown as one; a test that flaked in two of them is in it twice.
        """
}

extension ReportInput {
    init(_ arguments: Arguments) throws(Problem) {
        names = arguments.files
        maxAge = try arguments.duration(Self.maxAge.name)
        allowsMissing = arguments.has(Self.allowMissing.name)
    }
}

/// Reads the reports that a command is given.
struct ReportReader {
    let context: CommandContext
    /// The file that the command is to write: left out of folders, where an earlier one would be counted again.
    var output: String?

    var search: ReportSearch { ReportSearch(context: context) }

    /// Reads what `input` names, all of it as one.
    ///
    /// - Returns: `nil` if there is no report and `input` allows that.
    func report(_ input: ReportInput) throws -> Report? {
        do {
            return Report(merging: try reports(input))
        } catch let missing as MissingReport where input.allowsMissing {
            context.say("\(missing.cause): nothing was retried, as --allow-missing allows")
            return nil
        }
    }

    /// Reads what `input` names, each report for itself. Without names, it is the report that is there, and a line says
    /// which that is.
    private func reports(_ input: ReportInput) throws -> [Report] {
        let isDefault = input.names.isEmpty
        var reports: [Report] = []
        var seen: Set<String> = []
        for place in try isDefault ? [search.defaultPlace()] : input.names.map(search.place) {
            let found = try place.isFolder ? read(folder: place, &seen) : read(place, &seen, isDefault: isDefault)
            for (file, report) in found { try input.checkAge(of: report, file, now: context.now()) }
            reports += found.map(\.report)
        }
        return reports
    }

    private func read(
        _ file: InputFile,
        _ seen: inout Set<String>,
        isDefault: Bool
    ) throws -> [(file: InputFile, report: Report)] {
        guard seen.insert(file.identity).inserted else { return [] }
        guard !file.isMissing else { throw MissingReport(cause: "there is no report \(file.name)") }
        if isDefault { context.say("reading \(file.name)") }
        return [(file, try file.report(in: context))]
    }

    /// Reads every report in a folder. What looks like a report and is none is named.
    private func read(folder: InputFile, _ seen: inout Set<String>) throws -> [(file: InputFile, report: Report)] {
        let files = try search.candidates(in: folder)
        let new = files.filter { seen.insert($0.identity).inserted }
        for file in new where isOutput(file) { context.say("left out \(file.name), which is the output") }
        let inputs = new.filter { !isOutput($0) }
        let reports = inputs.compactMap { file in readable(file).map { (file, $0) } }
        guard !reports.isEmpty || new.count < files.count else {
            let cause = "the folder \(folder.name) holds no report"
            throw inputs.isEmpty ? MissingReport(cause: cause) : Problem("\(cause) that can be read")
        }
        context.say("read \(reports.count.of("report")) in \(folder.name)")
        return reports
    }

    func isOutput(_ file: InputFile) -> Bool {
        output.map { InputFile(name: $0, path: context.absolute($0)).identity } == file.identity
    }

    /// The report in a file; `nil` if it cannot be read, which is said.
    func readable(_ file: InputFile) -> Report? {
        do {
            return try file.report(in: context)
        } catch {
            context.say("left out \(file.name), which \(error.cause)")
            return nil
        }
    }
}

/// There is no report; whether that is an error depends on the options.
struct MissingReport: Error, CustomStringConvertible {
    let cause: String

    var description: String { "\(cause): \(ReportInput.whatMakesOne)" }
}

extension ReportInput {
    /// Refuses a report whose run ended longer ago than `maxAge`.
    fileprivate func checkAge(of report: Report, _ file: InputFile, now: Date) throws(Problem) {
        guard let (seconds, text) = maxAge else { return }
        guard let end = report.lastSign else {
            throw Problem("the report \(file.name) does not say when its run was, so --max-age \(text) refuses it")
        }
        let age = now.timeIntervalSince(end)
        guard age > seconds else { return }
        throw Problem(
            "the report \(file.name) is of an older run, which ended \(Times.words(end)), \(Durations.ago(age)), "
                + "and --max-age is \(text): did the tests run?"
        )
    }
}

/// Finds the files that the arguments mean.
struct ReportSearch {
    let context: CommandContext

    /// A file or folder among the arguments.
    func place(named name: String) -> InputFile {
        guard name != "-" else { return InputFile(name: "standard input", path: nil) }
        let shown = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
        return InputFile(name: shown, path: context.absolute(name))
    }

    /// Without a report among the arguments: what `RETRYABLE_REPORT` names, else the newest that `swift test` left.
    func defaultPlace() throws(MissingReport) -> InputFile {
        if let name = EnvironmentVariable.report.value(in: context.environment) { return place(named: name) }
        guard let newest = newestBuildReport() else {
            throw MissingReport(
                cause: "there is no report: RETRYABLE_REPORT is not set, and there is no "
                    + ".build/*/\(ReportLocation.fileName)"
            )
        }
        return newest
    }

    /// What may be a report in `folder`, at any depth, by name: files called `.json`, and others that begin like one.
    ///
    /// Links to folders are not followed, because they can form a cycle.
    func candidates(in folder: InputFile) throws(Problem) -> [InputFile] {
        guard let path = folder.path else { return [] }
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw Problem("the folder \(folder.name) cannot be searched: \(error.localizedDescription)")
        }
        var files: [InputFile] = []
        for entry in entries {
            let file = InputFile(name: "\(folder.name)/\(entry)", path: "\(path)/\(entry)")
            switch FileKind(at: "\(path)/\(entry)") {
            case .folder: files += try candidates(in: file)
            case .file where entry.hasSuffix(".json"): files.append(file)
            // Hidden files, and those with this ending, are on their way to be a report.
            case .file where entry.hasPrefix(".") || entry.hasSuffix(CommandContext.spareSuffix): continue
            case .file where file.beginsLikeJSON: files.append(file)
            case .other where entry.hasSuffix(".json"):
                context.say("left out \(file.name), which is no file, nor a link to one")
            case .file, .other, nil: continue
            }
        }
        return files
    }

    private func newestBuildReport() -> InputFile? {
        // Without a folder that can be read, there is no report in it either.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: context.absolute(".build"))) ?? []
        let reports = names.compactMap { name -> (file: InputFile, date: Date)? in
            let path = ".build/\(name)/\(ReportLocation.fileName)"
            let file = InputFile(name: path, path: context.absolute(path))
            return file.writtenAt.map { (file, $0) }
        }
        return reports.max { $0.date < $1.date }?.file
    }
}
