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

    private func start(_ workload: Workload, report: URL, output: Any) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = workload.arguments
        let variables = ["RETRYABLE_REPORT": report.path, "RETRYABLE_RUN_ID": report.lastPathComponent]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// How long so many processes take that add to one report, from the start of the first to the end of the last.
    func seconds(of workload: Workload, times: Int) throws -> Double {
        let report = folder.appendingPathComponent("\(UUID().uuidString).json")
        defer { remove(report) }
        return try benchmarks.seconds {
            let processes = try (0..<times).map { _ in
                try start(workload, report: report, output: FileHandle.nullDevice)
            }
            processes.forEach { $0.waitUntilExit() }
        }
    }

    /// How much of the processor's time a process takes that finds its run's report in place, from its start to its end.
    func wholeProcessorSeconds(of workload: Workload, report: URL) throws -> Double {
        let before = Self.processorTimeOfChildren
        try start(workload, report: report, output: FileHandle.nullDevice).waitUntilExit()
        return Self.processorTimeOfChildren - before
    }

    private static var processorTimeOfChildren: Double {
        var usage = rusage()
        #if os(Linux)
            guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return .nan }
        #else
            guard getrusage(RUSAGE_CHILDREN, &usage) == 0 else { return .nan }
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    func measure(_ workload: Workload) throws -> Workload.Sample {
        let report = folder.appendingPathComponent("\(UUID().uuidString).json")
        let pipe = Pipe()
        let process = try start(workload, report: report, output: pipe)
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if FileManager.default.fileExists(atPath: report.path) { remove(report) }
        do {
            return try JSONDecoder().decode(Workload.Sample.self, from: output)
        } catch {
            throw Silent(workload: workload, status: process.terminationStatus)
        }
    }
}
