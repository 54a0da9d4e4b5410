import Foundation
import RetryReport
import Testing

/// Reports that are written in more than one chunk.
@Suite("A large report")
struct LargeReportTests {
    /// A test that was retried so often.
    static func retry(_ name: String = "-[T t]", attempts count: Int, message: String = "too early") -> Retry {
        var retry = Retry.queued(name)
        retry.attempts = (1...count).map { number in
            Retry.Attempt(
                number: number,
                outcome: .flaked,
                startedAt: .morning,
                duration: 0.25,
                failures: [.sample("\(message) \(number)")]
            )
        }
        return retry
    }

    @Test("has the same bytes in its file as in memory, and as a copy that more was added to")
    func sameBytes() throws {
        try withFolder { folder in
            // One message is longer than several chunks.
            var retries = (0..<3).map { Self.retry("\($0)", attempts: 1000) }
            retries[1].attempts[500].failures[0].message = String(repeating: "\"漢字\"\n", count: 50_000)
            let file = ReportFile(url: folder.report, run: .sample())
            try file.open()
            for retry in retries { try file.updateSoon(retry) }
            try file.close()
            var run = try Report(contentsOf: folder.report).run
            #expect(try Array(Data(contentsOf: folder.report)) == Report(run: run, retries: retries).json())

            try file.update(.queued("3"))
            try file.update(.queued("4"))
            try file.update(.queued("5"))
            run?.unfinished = 1
            run?.finishedAt = nil
            retries += ["3", "4", "5"].map { .queued($0) }
            #expect(try Array(Data(contentsOf: folder.report)) == Report(run: run, retries: retries).json())
        }
    }

    #if os(Linux)
        @Test("takes a small part of its size in memory to be written, and to be added to")
        func memory() async {
            await #expect(processExitsWith: .success) {
                try withFolder { folder in
                    let file = ReportFile(url: folder.report, run: .sample())
                    try file.open()
                    try file.update(Self.retry("warm up", attempts: 1))
                    let retry = Self.retry(attempts: 20_000, message: String(repeating: "m", count: 500))
                    let before = try peakMemory()
                    try file.updateSoon(retry)
                    try file.close()
                    for name in ["one", "two", "three"] { try file.update(.queued(name)) }
                    let grown = try peakMemory() - before
                    let size = try Data(contentsOf: folder.report).count
                    #expect(size > 18_000_000)
                    #expect(grown < size / 4)
                }
            }
        }
    #endif
}

/// The most memory that this process ever had, in bytes.
private func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    let words = line.split { " \t".contains($0) }
    return try #require(Int(words[1])) * 1024
}
