import Foundation
import RetryReport

/// A process that writes to a report, for tests that need several of them, or one to kill.
///
///     scribe REPORT RUN PREFIX COUNT MESSAGE-SIZE
///
/// It queues COUNT tests, then decides them. Each test's name is printed once it stands in the report.
let arguments = CommandLine.arguments
guard arguments.count == 6, let count = Int(arguments[4]), let size = Int(arguments[5]) else { exit(64) }

let failure = Failure(message: String(repeating: "m", count: size), file: "A.swift", line: 1, kind: .assertion)
let flaked = Attempt(number: 1, outcome: .flaked, startedAt: Date(), duration: 0.1, failures: [failure])
let passed = Attempt(number: 2, outcome: .passed, startedAt: Date(), duration: 0.1)
var retries = (0..<count).map { index in
    Retry(
        name: "-[\(arguments[3]) test\(index)]",
        module: "ScribeTests",
        maxRetriesAllowed: 1,
        reason: "a race",
        fixable: true,
        attempts: [flaked]
    )
}

let report = ReportFile(
    url: URL(fileURLWithPath: arguments[1]),
    run: Report.Run(id: arguments[2], startedAt: Date())
)
do {
    try report.open()
    for retry in retries {
        try report.update(retry)
        FileHandle.standardOutput.write(Data("\(retry.name)\n".utf8))
    }
    for index in retries.indices {
        retries[index].attempts.append(passed)
        retries[index].attemptedRetries = 1
        retries[index].outcome = .recovered
        try report.updateSoon(retries[index])
    }
    try report.close()
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
