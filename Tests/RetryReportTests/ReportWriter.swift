import Foundation
import TestSupport

/// A process that writes to a report; see `Fixtures/Scenarios/ReportWriter`.
struct ReportWriter {
    let process = Process()
    private let pipe = Pipe()

    init(report: URL, run: String, prefix: String, count: Int, messageSize: Int = 20, passes: Int = 1) throws {
        process.executableURL = Self.executable
        process.arguments = [report.path, run, prefix] + [count, messageSize, passes].map { "\($0)" }
        process.standardOutput = pipe
        try process.run()
    }

    /// Waits for its end.
    ///
    /// - Returns: The names of the tests that stood in the report, as the process said, before it ended.
    func announced() throws -> [String] {
        // Drained before it is waited for, so that no amount of output can block it.
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Self.lines(output)
    }

    /// Waits until it has announced so many tests and a moment longer, and kills it.
    ///
    /// - Returns: The names of the tests that stood in the report, as the process said, before it was killed.
    func killed(after count: Int, microseconds: UInt32) throws -> [String] {
        var output = Data()
        while Self.lines(output).count < count {
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            output += more
        }
        usleep(microseconds)
        kill()
        output += try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Self.lines(output)
    }

    /// The lines that were said in full.
    private static func lines(_ output: Data) -> [String] {
        String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    private static let executable = Checkout.program("ReportWriter")
}
