import Foundation
import Groundwork
import TestSupport
import Testing

@testable import RetryReport

@Suite("The report's file, in trouble")
final class ReportTroubleTests: FolderTests {
    @Test("a disk that is full leaves the old report, and the next write has everything")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                // A limit on the size of files stands for the end of the disk.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit()
                getrlimit(fileSize, &limit)
                let unlimited = limit.rlim_cur
                let file = ReportFile(url: folder.report, run: .sample())
                try file.open()
                for name in ["one", "two", "three"] { try file.update(.queued(name)) }
                limit.rlim_cur = 4000
                setrlimit(fileSize, &limit)
                let error = #expect(throws: ReportFileError.self) {
                    try file.update(.queued("large", message: String(repeating: "m", count: 8000)))
                }
                #expect(error?.description == "the report \(folder.report.path) cannot be written: File too large")
                #expect(try Report(contentsOf: folder.report).tests.map(\.name) == ["one", "three", "two"])
                #expect(try folder.names == TemporaryFolder.reportAndLock)
                limit.rlim_cur = unlimited
                setrlimit(fileSize, &limit)
                try file.update(.queued("small"))
                let names = try Report(contentsOf: folder.report).tests.map(\.name)
                #expect(names == ["large", "one", "small", "three", "two"])
            }
        }
    }

    @Test("an earlier run's report that cannot be replaced is removed, because it would be taken for this run's")
    func earlierRun() throws {
        try ReportFile(url: folder.report, run: .sample()).open()
        try FileManager.default.createDirectory(
            at: folder.file(".\(ReportLocation.fileName).new"),
            withIntermediateDirectories: false
        )
        #expect(throws: ReportFileError.self) {
            try ReportFile(url: folder.report, run: Report.Run(id: "another", startedAt: Date())).open()
        }
        #expect(try folder.names.filter { !$0.hasPrefix(".") } == [])
    }

    @Test("a folder that is missing is made; one that cannot be is named")
    func missingFolder() throws {
        try ReportFile(url: folder.file("a/b/r.json"), run: .sample()).open()
        #expect(try Report(contentsOf: folder.file("a/b/r.json")).tests.isEmpty)
        let below = folder.file("a/b/r.json/r.json")
        let error = #expect(throws: ReportFileError.self) {
            try ReportFile(url: below, run: .sample()).open()
        }
        #expect(error?.description.hasPrefix("the report \(below.path) cannot be written: ") == true)
    }

    @Test("neither a folder nor a pipe is taken for a report, nor a log that is open, and none keeps us waiting")
    func noFile() throws {
        try FileManager.default.createDirectory(at: folder.report, withIntermediateDirectories: true)
        let pipe = folder.file("pipe")
        mkfifo(pipe.path, 0o600)
        let log = open(folder.file("log").path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        defer { close(log) }
        for url in [folder.report, pipe, URL(fileURLWithPath: "/dev/fd/\(log)")] {
            let error = #expect(throws: ReportFileError.self) { try ReportFile(url: url, run: .sample()).open() }
            #expect(error?.cause == "cannot be written: what stands there is no file of its own")
        }
        #expect(try folder.names.filter { !$0.hasPrefix(".") } == ["log", "pipe", ReportLocation.fileName])
    }

    @Test("a link is followed, whether or not something stands at its end, and stays a link")
    func links() throws {
        let target = folder.file("target.json")
        let links = try ["first", "second"].map { name in
            let link = folder.url.appendingPathComponent(name)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "target.json")
            return link
        }
        for link in links {
            let file = ReportFile(url: link, run: .sample(), process: link.lastPathComponent)
            try file.open()
            try file.update(.queued(link.lastPathComponent))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "target.json")
        }
        #expect(try Report(contentsOf: target).tests.map(\.name) == ["first", "second"])
        let null = folder.file("null")
        try FileManager.default.createSymbolicLink(atPath: null.path, withDestinationPath: "/dev/null")
        #expect(throws: ReportFileError.self) { try ReportFile(url: null, run: .sample()).open() }
    }

    @Test(
        "somebody else's file is left alone, whatever it holds",
        arguments: ["{\"mine\": true}", "[]", "notes", "{ \"retries\": [", "{\"retries\": [{}]}"]
    )
    func foreign(content: String) throws {
        let url = folder.file("notes.json")
        try Data(content.utf8).write(to: url)
        let error = #expect(throws: ReportFileError.self) { try ReportFile(url: url, run: .sample()).open() }
        #expect(error?.cause.hasPrefix("is another file, and no report of Retryable") == true)
        #expect(try Data(contentsOf: url) == Data(content.utf8))
        #expect(try folder.names == [".notes.json.lock", "notes.json"])
    }

    @Test(
        "an empty file, as mktemp makes one, an older report and whatever stands under the report's own name are replaced",
        arguments: [("tmp.x7Gh2", ""), ("tmp.x7Gh2", "{\"retries\": []}")]
            + ["[]", "{}", "\u{0}", "{\"retries\": 1}"].map { (ReportLocation.fileName, $0) }
    )
    func replaceable(name: String, content: String) throws {
        let url = folder.file(name)
        try Data(content.utf8).write(to: url)
        try ReportFile(url: url, run: .sample()).open()
        #expect(try Report(contentsOf: url).run?.id == "one")
    }

    @Test("a report that somebody deletes, empties, spoils or replaces is whole again after the next flake")
    func tampered() throws {
        let file = try openFile()
        try file.update(.queued("0"))
        try file.update(.queued("1"))
        let place = folder.report
        let tamper: [() throws -> Void] = [
            { try FileManager.default.removeItem(at: place) },
            { try Data().write(to: place) },
            { try Data("{".utf8).write(to: place) },
            { truncate(place.path, 30) },
            { try ReportFile(url: place, run: .sample("another")).open() },
            { try Data(Report().json()).write(to: place) },
        ]
        for (index, tamper) in tamper.enumerated() {
            try tamper()
            try file.update(.queued("\(index + 2)"))
            let report = try self.report
            #expect(report.tests.map(\.name).sorted() == (0...(index + 2)).map { "\($0)" })
            #expect(report.run?.id == "one")
        }
    }

    @Test("a report that somebody deletes has the records of other processes again, too")
    func deletedWithOthers() throws {
        let file = try openFile()
        try openFile(process: "other").update(.queued("theirs"))
        try file.update(.queued("ours"))
        try FileManager.default.removeItem(at: folder.report)
        try file.write()
        #expect(try report.tests.map(\.name) == ["ours", "theirs"])
        #expect(try report.run?.unfinished == 2)
    }

    @Test("a line of another process that cannot be read is named, and all others stay")
    func spoiltLine() throws {
        let warnings = Locked<[String]>([])
        try openFile(process: "other").update(.queued("0"))
        let text = try String(contentsOf: folder.report, encoding: .utf8)
        let spoilt = text.replacingOccurrences(of: "\"retries\": [\n", with: "\"retries\": [\n    {\"name\":5},\n")
        try Data(spoilt.utf8).write(to: folder.report)
        try openFile { warning in warnings.withLock { $0.append(warning) } }.update(.queued("1"))
        #expect(try report.tests.map(\.name) == ["0", "1"])
        let warning = "the report \(folder.report.path) had a line that cannot be read: {\"name\":5}"
        #expect(warnings.withLock { $0 } == [warning])
    }

    @Test("a folder that somebody deletes is an error, and no more than that")
    func deletedFolder() throws {
        let url = folder.file("gone/r.json")
        let file = ReportFile(url: url, run: .sample())
        try file.open()
        try FileManager.default.removeItem(at: url.deletingLastPathComponent())
        #expect(throws: ReportFileError.self) { try file.update(.queued("one")) }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.update(.queued("two"))
        #expect(try Report(contentsOf: url).tests.map(\.name) == ["one", "two"])
    }

    @Test("what a killed process left half written is never shown")
    func leftover() throws {
        let file = try openFile()
        let spare = folder.file(".\(ReportLocation.fileName).new")
        try Data("{ \"retries\": [".utf8).write(to: spare)
        try file.update(.queued("one"))
        #expect(try report.tests.count == 1)
        // A link stands there now; the file that it leads to must stay as it is.
        let precious = folder.file("precious")
        try Data("mine".utf8).write(to: precious)
        try FileManager.default.createSymbolicLink(at: spare, withDestinationURL: precious)
        try file.update(.queued("two"))
        try file.close()
        #expect(try Data(contentsOf: precious) == Data("mine".utf8))
        #expect(try report.tests.count == 2)
        #expect(try folder.names == [TemporaryFolder.reportAndLock[0], "precious", ReportLocation.fileName])
    }

    @Test("a lock that somebody else holds on the folder delays no report")
    func lockedFolder() throws {
        let descriptor = open(folder.path, O_RDONLY)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        try openFile { Issue.record("\($0)") }.close()
        #expect(try report.run?.finishedAt != nil)
    }

    @Test("a new file's permissions are by the process's mask, an old one's stay; a refusal is named, with the cause")
    func permissions() async {
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                func permissions(_ url: URL) throws -> Int? {
                    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
                }
                umask(0o007)
                let kept = folder.file("kept")
                try Data().write(to: kept)
                chmod(kept.path, 0o604)
                for (url, expected) in [(folder.report, 0o660), (kept, 0o604)] {
                    let file = ReportFile(url: url, run: .sample())
                    try file.open()
                    #expect(try permissions(url) == expected)
                    for index in 0..<3 { try file.update(.queued("\(index)")) }
                    #expect(try permissions(url) == expected)
                }
                let before = try Data(contentsOf: folder.report)
                chmod(folder.url.path, 0o555)
                // The superuser may write anywhere, so it goes on as somebody else.
                if geteuid() == 0 { seteuid(65534) }
                let error = #expect(throws: ReportFileError.self) {
                    try ReportFile(url: folder.report, run: .sample("next")).open()
                }
                #expect(error?.description == "the report \(folder.report.path) cannot be written: Permission denied")
                if getuid() == 0 { seteuid(0) }
                #expect(try Data(contentsOf: folder.report) == before)
                chmod(folder.url.path, 0o755)
            }
        }
    }
}

/// Runs `body` with a folder in the process of an exit test, which has no instance of the suite.
private func withFolder(_ body: (TemporaryFolder) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try body(folder)
}

#if canImport(Darwin)
    private let fileSize = RLIMIT_FSIZE
#else
    private let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#endif
