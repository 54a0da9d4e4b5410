import Foundation
import Groundwork

/// A program that was run to its end in a process of its own.
package struct ChildRun: Sendable, CustomStringConvertible {
    package typealias Ending = ProcessEnding

    package var ending: Ending
    /// What it wrote on standard output.
    package var outputBytes: Data
    /// What it wrote on standard error.
    package var errorBytes: Data

    /// The lines on standard output that are not empty.
    package var output: [String] { lines(of: outputBytes) }
    /// The lines on standard error that are not empty.
    package var errorOutput: [String] { lines(of: errorBytes) }

    /// A line on standard output; empty if there are fewer, so that an expectation fails and the test process does not end.
    package func line(_ index: Int) -> String { output.dropFirst(index).first ?? "" }

    package var description: String { "\(ending)\n" + (output + errorOutput).joined(separator: "\n") }

    /// Runs a program and waits for its end.
    ///
    /// Not by Foundation's `Process`, whose `run()` crashes now and then on Linux, up to Swift 6.4: it reads beyond.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - arguments: Its arguments.
    ///   - environment: What is set besides what this process has. Variables of Retryable are never inherited: the child is a
    ///     run of its own, whatever this one was asked for.
    ///   - directory: Its working directory; this process's if `nil`.
    ///   - started: Is called with the process as soon as it runs.
    package static func of(
        _ program: URL,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        in directory: URL? = nil,
        started: (ChildProcess) -> Void = { _ in }
    ) async throws -> ChildRun {
        await Places.take()
        defer { Places.free() }
        // Files, not pipes: no amount of output blocks a file, and a child that outlives the process keeps none open.
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let files = try ["output", "errors"].map(folder.makeFile)
        var command = [program.path] + arguments
        if let directory { command = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, directory.path] + command }
        let environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("RETRYABLE_") && $0.key != "NO_COLOR" }
            // Retries go at once: where many whole runs share the machine, it is never quiet.
            .merging(["RETRYABLE_RETRY_DELAY": "0"]) { $1 }
            .merging(environment) { $1 }
        let child = try ChildProcess.running(command, environment, output: files[0], errors: files[1])
        started(child)
        // In a thread of its own, so that none of those that run tests waits.
        let ending = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try child.waitForEnd {} }) }
        }
        return try ChildRun(
            ending: ending,
            outputBytes: Data(contentsOf: files[0]),
            errorBytes: Data(contentsOf: files[1])
        )
    }

    private func lines(of bytes: Data) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension ProcessEnding {
    package static let success = exitCode(0)
    package static let failure = exitCode(1)
}

extension ChildProcess {
    /// Starts a command that has no input and writes into files.
    package static func running(
        _ command: [String],
        _ environment: [String: String] = ProcessInfo.processInfo.environment,
        output: URL = URL(fileURLWithPath: "/dev/null"),
        errors: URL = URL(fileURLWithPath: "/dev/null")
    ) throws -> ChildProcess {
        try Descriptor.withFile(at: "/dev/null", O_RDONLY) { (input) throws(SystemError) in
            try Descriptor.withFile(at: output.path, O_WRONLY) { (output) throws(SystemError) in
                try Descriptor.withFile(at: errors.path, O_WRONLY) { (errors) throws(SystemError) in
                    let streams = [input, output, errors].map(\.number)
                    return try ChildProcess(command, environment: environment, streams: streams, closesOthers: true)
                }
            }
        }
    }
}

/// The places for children, so that few run at once: Swift Testing begins all tests, and beside other work each takes long.
private enum Places {
    private static let state = Locked((free: 32, waiting: [CheckedContinuation<Void, Never>]()))

    static func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    static func free() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty { state.free += 1 }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
