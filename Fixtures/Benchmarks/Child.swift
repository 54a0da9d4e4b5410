import Foundation

/// Fresh processes of this program.
struct Child {
    let folder: URL

    /// A process that did not tell what it measured.
    struct Silent: Error, CustomStringConvertible {
        var workload: Workload
        var status: Int32
        var description: String { "a process for \(workload.arguments) told nothing and ended with \(status)" }
    }

    func measure(_ workload: Workload) throws -> Workload.Sample {
        let report = folder.appendingPathComponent("\(UUID().uuidString).json")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = workload.arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["RETRYABLE_REPORT": report.path]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if FileManager.default.fileExists(atPath: report.path) { try FileManager.default.removeItem(at: report) }
        do {
            return try JSONDecoder().decode(Workload.Sample.self, from: output)
        } catch {
            throw Silent(workload: workload, status: process.terminationStatus)
        }
    }
}
