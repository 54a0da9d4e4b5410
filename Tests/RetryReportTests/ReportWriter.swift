import Foundation
import Groundwork
import TestSupport
import Testing

/// A process that writes to a report, or several of them; see `Fixtures/Scenarios/ReportWriter`.
struct ReportWriter {
    private let child: ChildProcess
    private let output: FileHandle

    init(report: URL, run: String, prefix: String, count: Int, messageSize: Int = 20, passes: Int) throws {
        let pipe = Pipe()
        let place = URL(fileURLWithPath: Descriptor(number: pipe.fileHandleForWriting.fileDescriptor).path)
        let arguments = Self.arguments(report, run, prefix, [count, messageSize, passes])
        child = try .running([Self.executable.path] + arguments, output: place)
        output = pipe.fileHandleForReading
        try pipe.fileHandleForWriting.close()
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
        var said = Data()
        while Said(said).count < count {
            let more = output.availableData
            guard !more.isEmpty else { break }
            said += more
        }
        usleep(microseconds)
        kill(child.identifier, SIGKILL)
        said += try output.readToEnd() ?? Data()
        #expect(try child.waitForEnd {} == .signal(SIGKILL))
        return Said(said)
    }

    private static func arguments(_ report: URL, _ run: String, _ prefix: String, _ numbers: [Int?]) -> [String] {
        [report.path, run, prefix] + numbers.compactMap { $0.map { "\($0)" } }
    }

    private static let executable = Checkout.program("ReportWriter")
}
