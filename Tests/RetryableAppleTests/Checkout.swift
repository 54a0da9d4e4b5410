import Foundation
import TestSupport
import Testing

/// The sources that these tests belong to.
enum AppleCheckout {
    /// Whether Apple's own XCTest is out of reach, so that the double can stand in for it.
    static var needsDouble: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    /// Where the double and its program are built: beside the tests themselves, so that it goes when they go.
    static let buildFolder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        .appendingPathComponent("apple-double")
}

/// What a command came to.
struct Outcome: CustomStringConvertible {
    var exitCode: Int32
    /// The lines on standard output.
    var output: [String]
    /// The lines on standard error.
    var errorOutput: [String]

    var description: String { "exit code \(exitCode)\n" + (output + errorOutput).joined(separator: "\n") }
}

/// Runs a command and waits for it.
func run(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let output = try folder.makeFile("output")
    let errorOutput = try folder.makeFile("errors")
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errorOutput)
    try process.run()
    process.waitUntilExit()
    return Outcome(
        exitCode: process.terminationStatus,
        output: try lines(of: output),
        errorOutput: try lines(of: errorOutput)
    )
}

private func lines(of file: URL) throws -> [String] {
    String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map(String.init)
}
