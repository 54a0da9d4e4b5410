import Foundation
import RetryReport
import TestSupport
import Testing

@testable import RetryCore

@Suite("ProcessContext")
final class ProcessContextTests: FolderTests {
    @Test("the summary names a test once, though both frameworks may end in one process")
    func summary() async throws {
        let report = folder.report.path

        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { [report = report as String] in
            let process = ProcessContext(environment: ["RETRYABLE_REPORT": report])
            process.openReport()
            process.report.put(passingRetryOf: "-[A test]")
            process.finish()
            process.finish()
            process.report.put(passingRetryOf: "B/test()")
            process.finish()
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        let told = lines.compactMap { line in line.range(of: " passed on attempt ").map { line[..<$0.lowerBound] } }
        #expect(told == ["Retryable: -[A test]", "Retryable: B/test()"])
        #expect(try Report(contentsOf: folder.report).tests.map(\.name) == ["-[A test]", "B/test()"])
    }

    @Test("an exit after the tests waits for the run's own exit, whose code counts")
    func exitsAfterwards() async {
        await #expect(processExitsWith: .exitCode(Self.mayExitAtOnce ? 1 : 0)) {
            let begun = DispatchSemaphore(value: 0)
            ProcessExit.watch {
                begun.signal()
                return []
            }
            Thread.detachNewThread { exit(0) }
            begun.wait()
            usleep(200_000)
            exit(1)
        }
    }

    /// Since 2.41, glibc has a thread that exits wait until another one has.
    private static var mayExitAtOnce: Bool {
        typealias Version = @convention(c) () -> UnsafePointer<CChar>
        guard let version: Version = Runtime.function("gnu_get_libc_version") else { return false }
        return String(cString: version()).compare("2.41", options: .numeric) == .orderedAscending
    }

    @Test("a signal's handler may exit again on the thread that exits", .timeLimit(.minutes(1)))
    func exitsAgain() async {
        await #expect(processExitsWith: .exitCode(4)) {
            // As a handler does that is called meanwhile.
            ProcessExit.watch { exit(4) }
            exit(0)
        }
    }

    @Test("an exit while tests run decides the exit code, also if the run ends before it has")
    func exits() async {
        await #expect(processExitsWith: .exitCode(1)) {
            let begun = DispatchSemaphore(value: 0)
            ProcessExit.watch {
                begun.signal()
                Thread.sleep(forTimeInterval: 0.2)
                return ["A.test"]
            }
            Thread.detachNewThread { exit(3) }
            begun.wait()
            exit(0)
        }
    }

    @Test("a process that goes on with another framework has not ended")
    func goesOn() throws {
        let process = ProcessContext(environment: ["RETRYABLE_REPORT": folder.report.path])
        process.openReport()
        process.finish()
        #expect(try Report(contentsOf: folder.report).run?.finishedAt != nil)
        process.goOn()
        let run = try Report(contentsOf: folder.report).run
        #expect(run?.unfinished == 1 && run?.finishedAt == nil)
        process.finish()
        #expect(try Report(contentsOf: folder.report).run?.finishedAt != nil)
    }

    @Test("Bazel is known by the folder that it sets for a test's outputs")
    func bazel() {
        #expect(!ProcessContext(environment: [:]).isOfBazel)
        #expect(!ProcessContext(environment: ["TEST_UNDECLARED_OUTPUTS_DIR": ""]).isOfBazel)
        #expect(ProcessContext(environment: ["TEST_UNDECLARED_OUTPUTS_DIR": "/outputs"]).isOfBazel)
    }

    @Test(
        "the report's path is named as the user's shell finds it, wherever the process stands",
        arguments: [("", "retryable-retries.json"), ("/nowhere", nil), (nil, nil)]
    )
    func path(folderOfShell: String?, shown: String?) throws {
        let shell = folderOfShell.map { $0.isEmpty ? folder.path : $0 } ?? "relative"
        let process = ProcessContext(environment: ["RETRYABLE_REPORT": folder.report.path, "PWD": shell])
        process.openReport()
        #expect(process.report.close() == shown ?? folder.report.path)
    }

    @Test("the waits of the run's other processes count once for each process")
    func waitsElsewhere() throws {
        let process = ProcessContext(environment: ["RETRYABLE_REPORT": folder.report.path, "RETRYABLE_RUN_ID": "1"])
        process.openReport()
        process.report.put(passingRetryOf: "-[A own]")
        #expect(process.report.secondsWaitedElsewhere == 0)

        let flake = Date()
        for (process, pauses) in [("1", [4.0, 3.0]), ("2", [2.0, nil])] {
            let other = ReportFile(url: folder.report, run: Report.Run(id: "1", startedAt: flake), process: process)
            for (number, pause) in pauses.enumerated() {
                var test = TestRecord(name: "-[B test\(number)]", module: process, mark: .fixable(reason: "a race"))
                test.attempts = [AttemptRecord(number: 1, outcome: .flaked, startedAt: flake, duration: 1)]
                test.attempts +=
                    pause.map {
                        [AttemptRecord(number: 2, outcome: .passed, startedAt: flake + 1 + $0, duration: 1)]
                    } ?? []
                other.put(test)
            }
            try other.write()
        }
        #expect(abs(process.report.secondsWaitedElsewhere - 5) < 0.01)
    }

    @Test("a thread that fails does not wait for one that waits for the report's file")
    func stuckFile() async throws {
        let process = ProcessContext(environment: ["RETRYABLE_REPORT": folder.report.path])
        process.openReport()
        let lock = open(folder.file(".\(folder.report.lastPathComponent).lock").path, O_RDONLY)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        let (ends, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            process.report.put(passingRetryOf: "-[A test]")
            continuation.yield("recorded")
        }
        usleep(200_000)  // long enough for that thread to wait
        Thread.detachNewThread {
            let section = Section(mark: .fixable(reason: "a race"), site: .xctest(#filePath, 1))
            _ = Attempt(retryCount: 0, process: process).judge(Failure(unplaced: "too early"), in: [section])
            process.count(\.delays)
            continuation.yield("failed")
        }
        Thread.detachNewThread {
            sleep(20)
            continuation.yield("neither")
        }
        #expect(await ends.first { _ in true } == "failed")
        flock(lock, LOCK_UN)
        // The time may have run out meanwhile, if other tests kept this one from being continued.
        #expect(await ends.first { $0 != "neither" } == "recorded")
    }

    @Test("the sections of an attempt count once, with its record, whichever process puts that")
    func countsOnce() throws {
        let section = Section(mark: .fixable(reason: "a race"), site: .testing("A.swift", 1))
        let (start, name) = (Date(timeIntervalSince1970: 1_800_000_000), TestName("A/test()", module: "M"))
        for _ in 1...2 {
            let process = ProcessContext(environment: ["RETRYABLE_REPORT": folder.report.path, "RETRYABLE_RUN_ID": "1"])
            process.openReport()
            process.resume(RunCounts())
            for _ in 1...2 {
                let attempt = Attempt(retryCount: 0)
                let sections = [section: SectionResult(hasFlaked: true)]
                process.report.put(attempt, of: name, since: start, duration: 0, counting: sections)
            }
            process.report.writeCounts()
        }
        #expect(try Report(contentsOf: folder.report).marks?.map { [$0.attempts, $0.flakes] } == [[1, 1]])
    }

    @Test("an attempt that a task left behind fails after its end replaces its record, and its test has failed")
    func lateFailure() throws {
        let process = ProcessContext(environment: ["RETRYABLE_REPORT": folder.report.path])
        process.openReport()
        let start = Date()
        func record(_ attempt: Attempt, duration: Double) {
            process.report.put(attempt, of: TestName("-[A test]", module: "M"), since: start, duration: duration)
        }
        let attempt = Attempt(retryCount: 1)
        record(attempt, duration: 0.25)
        record(Attempt(retryCount: 2), duration: 0)
        attempt.fail()
        record(attempt, duration: 0.5)
        // At once, because the process may die.
        let test = try Report(contentsOf: folder.report).tests.first
        #expect(test?.attempts.map(\.outcome) == [.failed, .passed])
        #expect(test?.attempts.map(\.duration) == [0.5, 0])
        #expect(test?.outcome == .failed)
    }

    @Test("the report of very many flaky tests is up to date a moment after each is decided, and in the end")
    func veryMany() async throws {
        let process = ProcessContext(environment: ["RETRYABLE_REPORT": folder.report.path])
        process.openReport()
        let names = (0..<1000).map { TestName("-[A test\($0)]", module: "M") }
        /// Returns how often the report was written.
        func record(_ range: Range<Int> = 0..<1000, retryCount: Int) -> Int {
            var (writes, file) = (0, stat())
            for name in names[range] {
                let last = file.st_ino
                process.report.put(Attempt(retryCount: retryCount), of: name, since: Date(), duration: 0)
                stat(folder.report.path, &file)
                writes += file.st_ino == last ? 0 : 1
            }
            return writes
        }
        #expect(record(0..<250, retryCount: 0) == 250)
        #expect(try Report(contentsOf: folder.report).tests.count == 250)
        #expect(record(250..<1000, retryCount: 0) < 750)
        _ = record(retryCount: 1)
        while try Report(contentsOf: folder.report).tests.contains(where: { $0.attempts.count < 2 }) {
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        #expect(try Report(contentsOf: folder.report).run?.finishedAt == nil)
        _ = record(retryCount: 2)
        _ = process.report.close()
        #expect(try Report(contentsOf: folder.report).tests.allSatisfy { $0.attempts.count == 3 })
    }

    @Test("the summary names no report that is not complete")
    func incomplete() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) { [report = folder.file("gone/report.json").path as String] in
            let process = ProcessContext(environment: ["RETRYABLE_REPORT": report])
            process.openReport()
            try FileManager.default.removeItem(at: URL(fileURLWithPath: report).deletingLastPathComponent())
            process.report.put(passingRetryOf: "-[A test]")
            process.finish()
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        let report = "\(folder.path)/gone/report.json"
        let warning = "Retryable: the report \(report) cannot be written: No such file or directory; "
        #expect(lines.filter { $0.hasPrefix(warning) }.count == 1)
        #expect(lines.contains { $0.contains(" passed on attempt ") })
        #expect(!lines.contains { $0.hasPrefix("Retryable: report: ") })
    }
}

extension ProcessReport {
    fileprivate func put(passingRetryOf test: String) {
        put(Attempt(retryCount: 1), of: TestName(test, module: "M"), since: Date(), duration: 0)
    }
}
