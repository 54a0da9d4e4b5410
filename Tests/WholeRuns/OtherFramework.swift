#if compiler(>=6.4)  // which counts an assertion of the other framework
    import RetryReport
    import Retryable
    import RetryableTesting
    import Testing

    /// In the mode `complete`, the default of packages with tools version 6.4.
    @Suite("Assertions of the other framework")
    struct OtherFrameworkTests {
        private static let complete = ["SWIFT_TESTING_XCTEST_INTEROP_MODE": "complete"]

        @Test("XCTest's fails a test of Swift Testing outside of sections")
        func xctestOutside() async throws {
            let run = try await SwiftTestingRun.of("OtherFramework/outside", environment: Self.complete)
            #expect(run.ending == .failure)
            #expect(run.report.retries.isEmpty)
        }

        @Test("XCTest's in a section of Swift Testing is retried, or fails the run")
        func xctestInside() async throws {
            let run = try await SwiftTestingRun.of("OtherFramework/inside", environment: Self.complete)
            check(run.report, isGreen: run.ending == .success)
        }

        @Test("XCTest's in a section without retries left fails the run")
        func xctestAlways() async throws {
            let run = try await SwiftTestingRun.of("OtherFramework/always", environment: Self.complete)
            #expect(run.ending == .failure)
        }

        @Test(
            "Swift Testing's fails a test of XCTest outside of sections, and in one without retries left",
            arguments: [ExpectsOutside.self, AlwaysExpects.self] as [any Program.Type]
        )
        func swiftTestingFails(program: any Program.Type) async throws {
            _ = try await run(program, expecting: .failure, environment: Self.complete)
        }

        @Test("Swift Testing's in a section of XCTest is retried, and the retry passes")
        func swiftTestingInside() async throws {
            let run = try await run(ExpectsInside.self, environment: Self.complete)
            check(run.report, isGreen: true)
        }

        private func check(_ report: Report, isGreen: Bool) {
            guard isGreen else { return }
            #expect(report.retries.map(\.outcome) == [.recovered])
            #expect(report.retries.first?.attempts.map(\.outcome) == [.flaked, .passed])
        }
    }

    // MARK: - XCTest

    final class ExpectsOutside: RetryableTestCase, OneTest {
        func test() { #expect(Bool(false)) }
    }

    final class ExpectsInside: RetryableTestCase, OneTest {
        func test() { flaky(.race) { #expect(retryCount > 0) } }
    }

    final class AlwaysExpects: RetryableTestCase, OneTest {
        func test() { flaky(.race) { #expect(Bool(false)) } }
    }

    // MARK: - Swift Testing

    #if PROGRAM
        @Suite(.retryable) struct OtherFramework {
            @Test func outside() { XCTFail("outside") }

            @Test func inside() { flaky(.race) { XCTAssertGreaterThan(Test.retryCount, 0) } }

            @Test func always() { flaky(.race) { XCTFail("always") } }
        }
    #endif
#endif
