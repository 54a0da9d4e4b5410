import Foundation
import TestSupport
import Testing

/// What the compiler says of calls that would assert nothing. Each line that is to be warned of, or refused, ends in a comment.
@Suite("Compiler warnings of sections")
struct CompilerWarningTests {
    /// The lines that are the same in both frameworks.
    private static let shared = """
            var set: Set = [1]
            let body: () async -> Void = {}
            let work: () -> Void = {}
            flaky(.fixable(reason: "a race")) { ready() } // unused
            flaky(.fixable(reason: "a race")) { set.insert(2) } // unused
            flaky(.fixable(reason: "a race"), ready()) // unused
            flaky(.fixable(reason: "a race"), body) // unused
            _ = flaky(.fixable(reason: "a race")) { ready() }
            flaky(.fixable(reason: "a race"), work())
            try flaky(.fixable(reason: "a race")) { throw CancellationError() }
        }

        func testAsync() async throws {
            await flaky(.fixable(reason: "a race")) { await readyLater() } // unused
            await flaky(.fixable(reason: "a race")) { await Task.yield() }
        }

        @discardableResult func ready() -> Bool { true }
        @discardableResult func readyLater() async -> Bool { true }
        """

    private static let xctest = """
        import Retryable

        final class Tests: RetryableTestCase {
            func test() throws {
                try flaky(.fixable(reason: "a race")) { try XCTUnwrap(Optional(1)) } // unused
                flaky(.fixable(reason: "a race")) { XCTAssertTrue(ready()) }
                flaky(.fixable(reason: "a race"), XCTAssertTrue(ready()))
                \(shared)
        }
        """

    /// Calls outside of a retryable test, for which the compiler says what to do, and nothing else.
    private static let plain = """
        import Retryable

        class Base: XCTestCase { func open() throws -> Int { 3 } }
        final class Derived: Base {
            func test() async throws {
                let three = try flaky(.fixable(reason: "a race")) { try open() } // unused
                XCTAssertEqual(three, 3)
                flaky(.fixable(reason: "a race"), XCTAssertTrue(true)) // unused
                try await flaky(.fixable(reason: "a race")) { try await Task.sleep(nanoseconds: 1) } // unused
            }
        }
        func free() { flaky(.fixable(reason: "a race")) { XCTAssertTrue(true) } } // unused
        struct Page { func title() -> String { flaky(.fixable(reason: "a race")) { "x" } } } // unused
        """

    private static let swiftTesting = """
        import RetryableTesting
        import Testing

        func test() throws {
        \(shared)
        """

    @Test("the compiler warns of a section whose result is not used, in XCTest and in Swift Testing")
    func warnings() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let sources = ["XCTest.swift": Self.xctest, "Plain.swift": Self.plain, "SwiftTesting.swift": Self.swiftTesting]
        for (name, source) in sources { try Data(source.utf8).write(to: folder.file(name)) }
        let products = Checkout.wholeRunProgram.deletingLastPathComponent()
        let resources = try await self.resources
        let run = try await ChildRun.of(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "swiftc", "-typecheck", "-wmo", "-parse-as-library", "-swift-version", "6",
                "-I", products.appendingPathComponent("Modules").path, "-I", products.path,
                "-plugin-path", resources + "/host/plugins/testing",
            ] + sources.keys,
            in: folder.url
        )
        for (name, source) in sources {
            let diagnosed = run.errorOutput.compactMap { line in
                line.firstMatch(of: #/(\w+\.swift):(\d+):\d+: (?:warning|error): /#).flatMap {
                    $0.1 == name ? Int($0.2) : nil
                }
            }
            let expected = source.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .filter { $0.element.hasSuffix("// unused") }.map { $0.offset + 1 }
            #expect(diagnosed.sorted() == expected, "\(run)")
        }
    }

    /// The toolchain's folder, in which the compiler finds the macros of Swift Testing.
    private var resources: String {
        get async throws {
            let compiler = try await ChildRun.of(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["swiftc", "-print-target-info"]
            )
            return try JSONDecoder().decode(TargetInfo.self, from: compiler.outputBytes).paths.runtimeResourcePath
        }
    }

    private struct TargetInfo: Decodable {
        var paths: Paths

        struct Paths: Decodable {
            var runtimeResourcePath: String
        }
    }
}
