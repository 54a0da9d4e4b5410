import Foundation
import TestSupport
import Testing

@testable import RetryReport

@Suite("The run's identity")
struct RunIdentityTests {
    typealias Facts = RunIdentity.ProcessFacts

    private func identity(
        _ environment: [String: String] = [:],
        own: Facts = Facts(identifier: 20, start: "7", program: "ShopPackageTest"),
        parent: Facts? = Facts(identifier: 10, start: "5", program: "swift-test"),
        boot: String = "boot"
    ) -> String {
        RunIdentity.decide(environment: environment, own: own, parent: parent, boot: boot)
    }

    @Test("is that of the SwiftPM process, under each of its names", arguments: ["swift-test", "swift-package"])
    func swiftPM(program: String) {
        let parent = Facts(identifier: 10, start: "5", program: program)
        let first = identity(own: Facts(identifier: 20, start: "7", program: "A"), parent: parent)
        let second = identity(own: Facts(identifier: 21, start: "8", program: "A"), parent: parent)
        #expect(first == second)
    }

    @Test("is another for another SwiftPM process, another start of the same number, another boot")
    func different() {
        let all = [
            identity(),
            identity(parent: Facts(identifier: 11, start: "5", program: "swift-test")),
            identity(parent: Facts(identifier: 10, start: "6", program: "swift-test")),
            identity(boot: "next boot"),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test("is the process's own under any other parent", arguments: ["bash", "make", "swift-testing", "xctest", ""])
    func ownProcess(program: String) {
        let parent = Facts(identifier: 10, start: "5", program: program)
        let first = identity(own: Facts(identifier: 20, start: "7", program: "A"), parent: parent)
        let second = identity(own: Facts(identifier: 21, start: "7", program: "A"), parent: parent)
        #expect(first != second)
        #expect(first == identity(own: Facts(identifier: 20, start: "7", program: "A"), parent: nil))
    }

    @Test("is RETRYABLE_RUN_ID where that is set, whatever the processes are; empty counts as not set")
    func given() {
        #expect(identity(["RETRYABLE_RUN_ID": "build 7"]) == "build 7")
        #expect(identity(["RETRYABLE_RUN_ID": "build 7"], parent: nil) == "build 7")
        #expect(identity(["RETRYABLE_RUN_ID": ""]) == identity())
    }

    @Test("is the session that Xcode names, where it names no result bundle; empty counts as not set")
    func session() {
        let own = Facts(identifier: 21, start: "8", program: "ShopTests")
        #expect(
            identity(["XCTestSessionIdentifier": "5E55"], parent: nil)
                == identity(["XCTestSessionIdentifier": "5E55"], own: own, parent: nil)
        )
        #expect(
            identity(["XCTestSessionIdentifier": "5E55"], parent: nil)
                != identity(["XCTestSessionIdentifier": "5E56"], parent: nil)
        )
        #expect(identity(["XCTestSessionIdentifier": ""]) == identity())
        #expect(identity(["XCTestSessionIdentifier": "5E55", "RETRYABLE_RUN_ID": "build 7"]) == "build 7")
    }

    @Test("is the same however often a process asks")
    func stable() {
        let identity = RunIdentity.current(environment: [:])
        #expect(identity == RunIdentity.current(environment: [:]))
        #expect(!identity.isEmpty)
    }

    @Test("is another for each of the processes that one shell starts")
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
