import Foundation
import TestSupport
import Testing

@testable import RetryReport

@Suite("The run's identity")
struct RunIdentityTests {
    private static func identity(
        _ environment: [String: String] = [:],
        own: String = "20-7",
        parent: RunIdentity.ProcessFacts? = parent("swift-test")
    ) -> String {
        RunIdentity.decide(environment: environment, own: own, parent: parent)
    }

    private static func parent(_ program: String, _ identity: String = "10-5") -> RunIdentity.ProcessFacts {
        RunIdentity.ProcessFacts(program: program, identity: identity)
    }

    @Test(
        "the run's identity is the SwiftPM process's, under each of its names",
        arguments: ["swift-test", "swift-package"]
    )
    func swiftPM(program: String) {
        let parent = Self.parent(program)
        #expect(Self.identity(parent: parent) == Self.identity(own: "21-8", parent: parent))
    }

    @Test("the run's identity is another for another SwiftPM process")
    func different() {
        #expect(Self.identity() != Self.identity(parent: Self.parent("swift-test", "10-6")))
    }

    @Test("the run's identity, if it is given, has no +, which joins those of a merged report")
    func plus() {
        #expect(Self.identity(["RETRYABLE_RUN_ID": "2026-11-27 03:59:04 +0000"]) == "2026-11-27 03:59:04 -0000")
        let path = "/tmp/Test-Shop-2026.11.27_10-00-00-+0000.xcresult/1.xctestconfiguration"
        #expect(
            Self.identity(["XCTestConfigurationFilePath": path]).hasPrefix(
                "Test-Shop-2026.11.27_10-00-00--0000.xcresult"
            )
        )
    }

    @Test(
        "the run's identity is the process's own under any other parent",
        arguments: ["bash", "make", "swift-testing", "xctest", ""]
    )
    func ownProcess(program: String) {
        let identity = Self.identity(parent: Self.parent(program))
        #expect(identity != Self.identity(own: "21-8", parent: Self.parent(program)))
        #expect(identity == Self.identity(parent: nil))
    }

    @Test("the run's identity is the session that Xcode names, before that RETRYABLE_RUN_ID; empty counts as not set")
    func named() {
        let session = ["XCTestSessionIdentifier": "5E55"]
        #expect(Self.identity(session, parent: nil) == Self.identity(session, own: "21-8", parent: nil))
        #expect(Self.identity(session, parent: nil) != Self.identity(["XCTestSessionIdentifier": "5E56"], parent: nil))
        #expect(Self.identity(["XCTestSessionIdentifier": ""]) == Self.identity())
        #expect(Self.identity(session.merging(["RETRYABLE_RUN_ID": "build 7"]) { $1 }) == "build 7")
        #expect(Self.identity(["RETRYABLE_RUN_ID": "build 7"], parent: nil) == "build 7")
        #expect(Self.identity(["RETRYABLE_RUN_ID": ""]) == Self.identity())
    }

    @Test("the run's identity is the same however often a process asks")
    func stable() {
        let identity = RunIdentity.current(environment: [:])
        #expect(identity == RunIdentity.current(environment: [:]))
        #expect(!identity.isEmpty)
    }

    @Test("the run's identity is another for each of the processes that one shell starts")
    func shell() async throws {
        // This process stands for the shell: each exit test is a child of it.
        func childIdentity() async throws -> String {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let path = folder.report.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                let run = Report.Run(id: RunIdentity.current(environment: [:]), startedAt: .morning)
                try ReportFile(url: URL(fileURLWithPath: path), run: run).open()
            }
            return try #require(try Report(contentsOf: folder.report).run?.id)
        }
        let first = try await childIdentity()
        let second = try await childIdentity()
        #expect(first != second)
    }
}
