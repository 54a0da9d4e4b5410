import Foundation
import RetryReport

/// A process that writes to a report, for tests that need several of them, or one to kill.
///
///     ReportWriter REPORT RUN PREFIX COUNT MESSAGE-SIZE PASSES [PROCESSES]
///
/// In each pass it queues COUNT tests, decides them, and closes the report. It prints the name of each test that it has
/// queued, once it stands in the report, and again, after `decided `, when it has been decided. With 0 PASSES it makes one,
/// and then waits to be killed. With PROCESSES it is as many processes, whose prefixes end with their numbers.
let arguments = CommandLine.arguments
let numbers = arguments.dropFirst(4).compactMap { Int($0) }
guard (7...8).contains(arguments.count), numbers.count == arguments.count - 4 else { exit(64) }
let prefix = arguments[3] + (numbers.count == 4 ? forked(numbers[3]) : "")

let message = String(repeating: "m", count: numbers[1])
let failure = Failure(message: message, file: "A.swift", line: 1, kind: .assertion)
let flaked = AttemptRecord(number: 1, outcome: .flaked, startedAt: Date(), duration: 0.1, failures: [failure])
let passed = AttemptRecord(number: 2, outcome: .passed, startedAt: Date(), duration: 0.1)
let report = ReportFile(
    url: URL(fileURLWithPath: arguments[1]),
    run: Report.Run(id: arguments[2], startedAt: Date())
)

/// Does what every process does with what it knows of a test, and says so.
func put(_ retry: TestRecord, _ prefix: String) throws {
    report.put(retry)
    try report.write()
    FileHandle.standardOutput.write(Data("\(prefix)\(retry.name)\n".utf8))
}

do {
    try report.open()
    for pass in 1...max(1, numbers[2]) {
        var retries = (1...max(1, numbers[0])).map { number in
            let name = "-[\(prefix)\(pass) test\(number)]"
            var test = TestRecord(name: name, module: "WriterTests", mark: .fixable(reason: "a race"))
            test.attempts = [flaked]
            return test
        }
        for retry in retries { try put(retry, "") }
        for index in retries.indices {
            retries[index].attempts.append(passed)
            retries[index].attemptedRetries = 1
            retries[index].outcome = .recovered
            try put(retries[index], "decided ")
        }
        if numbers[2] == 0 { while true { sleep(60) } }
        try report.close()
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

/// Forks off so many processes, which is faster than to start the program as often.
///
/// - Returns: The number of the process, in each of them. The one that has forked them off waits, and ends as they do.
func forked(_ count: Int) -> String {
    for number in 1...count where fork() == 0 { return "\(number)" }
    var (ended, status): (Int, CInt) = (0, 0)
    var worst: CInt = 0
    while wait(&status) > 0 {
        ended += 1
        worst = max(worst, status)
    }
    exit(ended == count && worst == 0 ? 0 : 1)
}

@_silgen_name("fork")
private func fork() -> pid_t
