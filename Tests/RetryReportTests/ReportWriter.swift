import Foundation
import TestSupport

/// A process that writes to a report, or several of them; see `Fixtures/Scenarios/ReportWriter`.
struct ReportWriter {
    let process = Process()
    private let pipe = Pipe()

    init(
        report: URL,
        run: String,
        prefix: String,
        count: Int,
        messageSize: Int = 20,
        passes: Int = 1,
        processes: Int? = nil
    ) throws {
        process.executableURL = Self.executable
        process.arguments =
            [report.path, run, prefix] + [count, messageSize, passes, processes].compactMap { $0.map { "\($0)" } }
        process.standardOutput = pipe
        try process.run()
    }

    /// What a process has said of its tests, in the order in which it did.
    struct Said {
        /// Those that stood in the report.
        let announced: [String]
        /// Those of which the report said what became of them.
        let decided: [String]

        init(_ output: Data) {
            // What is not followed by the end of a line was not said in full.
            let lines = String(decoding: output, as: UTF8.self).components(separatedBy: "\n").dropLast()
            announced = lines.filter { !$0.hasPrefix("decided ") }
            decided = lines.filter { $0.hasPrefix("decided ") }.map { String($0.dropFirst("decided ".count)) }
        }

        var count: Int { announced.count + decided.count }
    }

    /// Waits for its end.
    ///
    /// - Returns: The names of the tests that stood in the report, as the process said, before it ended.
    func announced() throws -> [String] {
        // Drained before it is waited for, so that no amount of output can block it.
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Said(output).announced
    }

    /// Waits until it has said so much and a moment longer, and kills it.
    func killed(after count: Int, microseconds: UInt32) throws -> Said {
        var output = Data()
        while Said(output).count < count {
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            output += more
        }
        usleep(microseconds)
        kill()
        output += try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Said(output)
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    private static let executable = Checkout.program("ReportWriter")
}
