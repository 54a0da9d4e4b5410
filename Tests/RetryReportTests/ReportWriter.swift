import Foundation
import TestSupport
import Testing

/// A process that writes to a report, or several of them; see `Fixtures/Scenarios/ReportWriter`.
struct ReportWriter {
    let process = Process()
    private let pipe = Pipe()

    init(report: URL, run: String, prefix: String, count: Int, messageSize: Int = 20, passes: Int) throws {
        process.executableURL = Self.executable
        process.arguments = Self.arguments(report, run, prefix, [count, messageSize, passes])
        process.standardOutput = pipe
        try process.run()
    }

    /// The lines of a process about its tests, in the order in which it wrote them.
    struct Said {
        /// Those that stood in the report.
        let announced: [String]
        /// Those of which the report said what became of them.
        let decided: [String]

        init(_ output: Data) {
            // A line without its end was not written in full.
            let lines = String(decoding: output, as: UTF8.self).components(separatedBy: "\n").dropLast()
            announced = lines.filter { !$0.hasPrefix("decided ") }
            decided = lines.filter { $0.hasPrefix("decided ") }.map { String($0.dropFirst("decided ".count)) }
        }

        var count: Int { announced.count + decided.count }
    }

    /// Runs one, or several, to their end, without keeping a thread.
    ///
    /// - Returns: The names of the tests that stood in the report, as the process said, before it ended.
    static func announced(
        report: URL,
        run: String,
        prefix: String,
        count: Int,
        processes: Int? = nil
    ) async throws -> [String] {
        let arguments = arguments(report, run, prefix, [count, 20, 1, processes])
        let outcome = try await ChildRun.of(executable, arguments)
        #expect(outcome.ending == .success, "\(outcome)")
        return Said(outcome.outputBytes).announced
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
        kill(process.processIdentifier, SIGKILL)
        output += try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Said(output)
    }

    private static func arguments(_ report: URL, _ run: String, _ prefix: String, _ numbers: [Int?]) -> [String] {
        [report.path, run, prefix] + numbers.compactMap { $0.map { "\($0)" } }
    }

    private static let executable = Checkout.program("ReportWriter")
}
