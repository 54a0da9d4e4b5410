import Testing

@Suite("A test's didFlake() on Apple's systems", .enabled(if: DoubleRun.isNeeded))
struct AppleToldTests {
    private static let activity = "activity of -[CLASS test]: what the flake saw"
    private static let kept = [
        activity, "attachment screen, keepAlways: a screenshot", "attachment tree, keepAlways: the element tree",
    ]

    /// A class with one test, what is told and kept in its run, in order, and what else is expected of it.
    struct Row: Sendable, CustomTestStringConvertible {
        var testClass: String
        var seen: [String]
        var cases = ["test] passed", "test$2] passed"]
        var testDescription: String { testClass }
    }

    static let rows = [
        Row(
            testClass: "ToldOnce",
            seen: ["told of attempt 1"] + kept + [
                "after the first", "after the second", "activity of -[CLASS test]: flaked at",
                "attachment flake.txt, keepAlways",
                "attachment first, keepAlways: of the first", "attachment second, keepAlways: of the second",
            ]
        ),
        Row(
            testClass: "ToldInSetUp",
            seen: ["told of attempt 1"] + kept + [
                "after setUp", "activity of -[CLASS test]: flaked at", "attachment flake.txt, keepAlways",
                "after setUp",
            ]
        ),
        Row(
            testClass: "ToldAndStops",
            seen: ["told of attempt 1"] + kept + [
                "activity of -[CLASS test]: flaked at", "attachment flake.txt, keepAlways", "after the section",
            ]
        ),
        Row(testClass: "NotToldOfReal", seen: [], cases: ["test] failed"]),
        Row(
            testClass: "ToldElsewhere",
            seen: ["activity of -[CLASS test]: flaked at", "attachment flake.txt, keepAlways"]
        ),
        Row(testClass: "FailsWhenTold", seen: [], cases: ["test] failed"]),
    ]

    @Test(
        "didFlake() is called once, at the first flake, on the main thread, and what it and the failures attach is kept",
        arguments: rows
    )
    func told(row: Row) async throws {
        let hasFailed = row.cases == ["test] failed"]
        let run = try await run(row.testClass, expecting: hasFailed ? 1 : 0)
        #expect(run.cases == row.cases.map { "-[\(row.testClass) \($0)" })
        let openings = ["told", "after", "  activity", "  attachment"]
        let seen = run.outcome.output.filter { line in
            openings.contains { line.hasPrefix($0) } && !line.contains("retryable-retries.json")
                && !line.contains("report so far")
        }
        .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 }
        #expect(seen.count == row.seen.count, "\(seen)")
        for (seen, expected) in zip(seen, row.seen) {
            #expect(seen.hasPrefix(expected.replacing("CLASS", with: row.testClass)))
        }
        #expect(run.attachedToIssues.isEmpty)
    }

    @Test("a line says that didFlake() was not called, where the failure was not recorded on the main thread")
    func elsewhere() async throws {
        let line =
            "Retryable: -[ToldElsewhere test]: didFlake() was not called, because the failure was not recorded on the main thread"
        #expect(try await run("ToldElsewhere").outcome.errorOutput.count { $0 == line } == 1)
    }

    @Test("what fails in didFlake() is real, in a section of it as well")
    func fails() async throws {
        let run = try await run("FailsWhenTold", expecting: 1)
        #expect(run.issues.map { $0.hasSuffix("failed - in didFlake") } == [true])
        #expect(run.outcomes == [.failed])
    }
}
