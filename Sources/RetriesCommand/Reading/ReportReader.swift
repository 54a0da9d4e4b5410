import Foundation
import Groundwork
import RetryReport

/// A report, and the file that it was read from.
struct ReadReport {
    let file: InputFile
    let report: Report
}

/// Reads the reports that a command is given.
struct ReportReader {
    let context: CommandContext
    /// The file that the command is to write: left out of folders, where an earlier one would be counted again.
    var output: String?

    /// Reads what `input` names, all of it as one.
    ///
    /// - Returns: `nil` if there is no report and `input` allows that.
    func report(_ input: ReportInput) throws -> Report? {
        do {
            return Report(merging: try reports(input).map(\.report))
        } catch let missing as MissingReport where input.allowsMissing {
            context.say("\(missing.cause): nothing was retried, as --allow-missing allows")
            return nil
        }
    }

    /// Reads what `input` names, each report for itself. Without names, it is the report that is there, and a line says
    /// which that is.
    func reports(_ input: ReportInput) throws -> [ReadReport] {
        let search = ReportSearch(context: context)
        let isDefault = input.names.isEmpty
        var reports: [ReadReport] = []
        var seen: Set<String> = []
        for place in try isDefault ? [search.defaultPlace()] : input.names.map(search.place) {
            switch place {
            case .file(let file):
                guard seen.insert(file.identity).inserted else { continue }
                guard !file.isMissing else { throw MissingReport(cause: "there is no report \(file.name)") }
                if isDefault { context.say("reading \(file.name)") }
                reports.append(ReadReport(file: file, report: try file.report(in: context)))
            case .folder(let folder):
                reports += try read(folder, search, &seen)
            }
        }
        if let maxAge = input.maxAge {
            for read in reports { try read.checkAge(maxAge.seconds, maxAge.text, now: context.now()) }
        }
        return reports
    }

    /// Reads every report in a folder. What looks like a report and is none is named.
    private func read(_ folder: InputFile, _ search: ReportSearch, _ seen: inout Set<String>) throws -> [ReadReport] {
        let output = output.map { InputFile(name: $0, path: context.absolute($0)).identity }
        var reports: [ReadReport] = []
        var leftOut: [String] = []
        var hasSeen = false
        for file in try search.candidates(in: folder) {
            guard seen.insert(file.identity).inserted else {
                hasSeen = true
                continue
            }
            guard file.identity != output else {
                context.say("left out \(file.name), which is the output")
                continue
            }
            do {
                reports.append(ReadReport(file: file, report: try file.report(in: context)))
            } catch {
                leftOut.append("left out \(file.name), which \(error.cause)")
            }
        }
        for line in leftOut { context.say(line) }
        guard !reports.isEmpty || hasSeen else {
            let cause = "the folder \(folder.name) holds no report"
            throw leftOut.isEmpty ? MissingReport(cause: cause) : Problem("\(cause) that can be read")
        }
        context.say("read \(reports.count.of("report")) in \(folder.name)")
        return reports
    }
}

/// There is no report, and that need not be wrong.
struct MissingReport: Error, CustomStringConvertible {
    let cause: String

    var description: String { "\(cause): \(ReportInput.whatMakesOne)" }
}

extension ReadReport {
    /// Refuses a report whose run ended more than `seconds` before `now`.
    fileprivate func checkAge(_ seconds: Double, _ text: String, now: Date) throws(Problem) {
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
