import Foundation

/// A process that writes to a report; see `Fixtures/Scribe`.
struct Scribe {
    let process = Process()
    private let pipe = Pipe()

    init(report: URL, run: String, prefix: String, count: Int, messageSize: Int = 20) throws {
        process.executableURL = Self.executable
        process.arguments = [report.path, run, prefix, "\(count)", "\(messageSize)"]
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
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        // What follows the last end of a line was not said in full.
        return lines.dropLast().map(String.init)
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
    }

    /// Beside the test bundle, wherever that is on this system.
    private static let executable: URL = {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        var folder = URL(fileURLWithPath: bundle)
        while folder.path != "/", folder.path.contains(".xctest") { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("scribe")
    }()
}
