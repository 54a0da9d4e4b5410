import Foundation
import TestSupport

/// Fresh processes, of this program and of `retries`.
enum Child {
    /// A temporary folder of this run.
    static let folder = "\(NSTemporaryDirectory())/benchmarks-\(ProcessInfo.processInfo.processIdentifier)"

    /// A process that did not end with exit code 0.
    struct Failed: Error {
        var program: URL
        var status: Int32
    }

    /// Runs a program that stands beside this one, or this one, so many times at once, and returns their standard outputs.
    @discardableResult
    static func run(
        _ program: String?,
        _ arguments: [String],
        times: Int = 1,
        report: String = "\(folder)/\(UUID().uuidString).json",
        environment: [String: String] = [:]
    ) throws -> [String] {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let running = try (0..<times).map { _ in
            let (process, output) = (Process(), Pipe())
            process.executableURL = program.map(own.deletingLastPathComponent().appendingPathComponent) ?? own
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment
                .merging(["RETRYABLE_REPORT": report, "RETRYABLE_RUN_ID": report]) { $1 }
                .merging(environment) { $1 }
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            return (process, output)
        }
        return try running.map { process, output in
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failed(program: process.executableURL ?? own, status: process.terminationStatus)
            }
            return text
        }
    }

    /// Returns the two figures that a fresh process of this program measures and prints.
    static func measure(_ workload: String, _ numbers: Int...) throws -> (Double, Double) {
        let output = try run(nil, ["--process", workload] + numbers.map(String.init))[0]
        let line = output.split(separator: "\n").last ?? ""
        let figures = line.split(separator: " ").compactMap { Double($0) }
        return figures.count == 2 ? (figures[0], figures[1]) : (.nan, .nan)
    }

    /// Does what `measure` asks of a process, and ends it; returns if the arguments are others.
    static func measureAndExit(_ arguments: [String]) {
        guard arguments.first == "--process" else { return }
        // XCTest waits for each test's asynchronous `setUp` and `tearDown` in a run loop that another thread stops. If that
        // comes just before the loop begins, the loop sleeps for 0.1 s; on one processor it does not.
        if ["flaking", "passing"].contains(arguments[1]) { stayOnOneProcessor() }
        let numbers = arguments.compactMap { Int($0) }
        switch arguments[1] {
        case "flaking":
            let time = InXCTest.flaking(numbers[0], of: numbers[1])
            printAndExit((time, time))
        case "passing":
            printAndExit(InXCTest.passingTests())
        case "passing in Swift Testing", "section in Swift Testing":
            Task.detached { printAndExit(await InSwiftTesting.measure(section: arguments[1].hasPrefix("section"))) }
            dispatchMain()
        case "starving":
            Task.detached { exit(await Starving.run()) }
            dispatchMain()
        default: return
        }
    }

    private static func printAndExit(_ figures: (Double, Double)) -> Never {
        print("\(figures.0) \(figures.1)")
        exit(0)
    }
}
