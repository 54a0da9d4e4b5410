import Foundation
import Groundwork
import RetryReport

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
