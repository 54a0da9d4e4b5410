import Foundation
import TestSupport

/// The package of tests that go wrong on purpose; built once, then run as often as a test asks.
enum Misbehaving {
    /// The program that SwiftPM makes of the package's tests.
    static func program() async throws -> URL {
        try await built.value
    }

    static let package = root.appendingPathComponent("Fixtures/Scenarios/SwiftTesting")
    /// Where it is built: apart from the package that tests it, whose build may be under way.
    static let build = root.appendingPathComponent(".build/misbehaving-testing")

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let built = Task {
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["swift", "build", "--build-tests", "--package-path", package.path, "--scratch-path", build.path]
        )
        guard result.status == 0 else {
            throw CannotBuild(description: (result.output + result.errorOutput).joined(separator: "\n"))
        }
        return build.appendingPathComponent("debug/MisbehavingTestingPackageTests.xctest")
    }

    struct CannotBuild: Error, CustomStringConvertible {
        var description: String
    }
}

/// A process that has ended.
struct ChildProcess {
    /// The exit code, or the signal that ended it.
    var status: Int32
    /// The lines on standard output.
    var output: [String]
    /// The lines on standard error.
    var errorOutput: [String]

    /// Runs a program to its end.
    static func run(
        _ program: URL,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        // Files, not pipes: no amount of output blocks a file.
        let output = try folder.makeFile("output")
        let errorOutput = try folder.makeFile("error-output")
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        // The child is a run of its own, whatever this run was asked for.
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("RETRYABLE_") && $0.key != "NO_COLOR" }
            .merging(environment) { _, given in given }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errorOutput)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return ChildProcess(
            status: process.terminationStatus,
            output: try lines(of: output),
            errorOutput: try lines(of: errorOutput)
        )
    }

    private static func lines(of file: URL) throws -> [String] {
        String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
