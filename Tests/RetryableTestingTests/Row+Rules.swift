import RetryReport

extension Row {
    static let outsideAndInside = [
        Row(
            "1: a failure inside a section with retries left is a flake",
            "Sections/flakesOnce",
            flakes: ["a race (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "1: of nested sections, the innermost with retries left has the flake",
            "Sections/nested",
            flakes: ["inner (fixable)", "outer (not fixable)"],
            .recovered,
            [.flaked, .flaked, .passed]
        ),
        Row(
            "1: a whole test is a section",
            "Sections/whole",
            flakes: ["a whole test (not fixable)", "a whole test (not fixable)"],
            .recovered,
            [.flaked, .flaked, .passed]
        ),
        Row(
            "1: a test that is marked itself has opted in",
            "wholeWithoutSuite",
            flakes: ["a race (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "2: the last attempt's failure is left as it is",
            "Sections/neverPasses",
            flakes: ["always (not fixable)", "always (not fixable)"],
            failures: ["Issue recorded: attempt 3"],
            .failed,
            [.flaked, .flaked, .failed]
        ),
        Row("2: a failure outside a section is real", "Sections/failsOutside", failures: ["Issue recorded: outside"]),
        Row("2: a section may allow no retry", "Sections/allowsNoRetry", failures: ["Issue recorded: inside"]),
        Row("2: a section that passes is not heard of", "Sections/passes"),
        Row("2: a warning is no failure", "Sections/warns"),
        Row("2: what the test itself knows to fail is no flake", "Tasks/knownAlready", flakes: ["known to the test"]),
        Row("2: so it is around the section", "Tasks/knownAround", flakes: ["known to the test"]),
        Row(
            "1: what the test knows hides no flake that it does not know",
            "Tasks/otherKnownAround",
            flakes: ["a race (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "1: a section may hold only what matches",
            "Marks/matches",
            flakes: ["a race (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "1: an error matches by what it says",
            "Marks/matchesError",
            flakes: ["a race (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "1: what does not match is real",
            "Marks/doesNotMatch",
            failures: ["Expectation failed: (retryCount → 0) > 0: no such user"]
        ),
        Row(
            "1: or a flake of the section around",
            "Marks/onlyOuterMatches",
            flakes: ["outer (not fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
    ]

    static let tasks = [
        Row(
            "3: failures in tasks of the section are flakes",
            "Tasks/childTask",
            flakes: ["a race (fixable)", "a race (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "3: a failure in a detached task is real",
            "Tasks/detachedTask",
            failures: ["Issue recorded: in a detached task"]
        ),
        Row("3: a failure on a thread is real", "Tasks/thread", failures: ["Issue recorded: on a thread"]),
        Row(
            "3: a failure in a task of no section is real, while a section is open",
            "Tasks/taskOfNoSection",
            failures: ["Issue recorded: in a task of no section"]
        ),
        Row(
            "3: so it is in a task that outlives its section",
            "Tasks/taskOutlives",
            failures: ["Issue recorded: after its section"]
        ),
        Row(
            "3: of 200 failures in tasks none is lost",
            "Tasks/manyFailures",
            flakes: Array(repeating: "a race (fixable)", count: 200),
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "4: a section is closed when it returns or throws",
            "Tasks/afterSections",
            failures: ["Issue recorded: after the sections"]
        ),
        Row(
            "4: a section is closed when it is cancelled",
            "Tasks/afterCancelledSection",
            failures: ["Issue recorded: after a section that was cancelled"]
        ),
        Row(
            "4: a section in a suite's init works like any other",
            "FlakyInit",
            flakes: ["slow to start (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
    ]

    static let errors =
        [
            ("leaves", "5: an error that leaves a section is a flake"),
            ("leavesAsync", "5: so it is where the section suspends"),
            ("leavesExpression", "5: so it is where the section is an expression"),
            ("recorded", "5: an error that is recorded in a section is a flake"),
            ("loggedAndRethrown", "5: an error that is logged on its way is still the one that left the section"),
            ("expectation", "5: an expression in an expectation may throw and suspend"),
            ("require", "7: #require is one flake, not two"),
        ].map { test, description in
            Row(description, "Errors/\(test)", flakes: ["a race (fixable)"], .recovered, [.flaked, .passed])
        } + [
            Row(
                "11: what only an earlier attempt has recorded fails a retry that throws it",
                "EarlierErrors/once",
                flakes: ["slow (fixable)"],
                failures: [notRecorded("6:47")],
                .failed,
                [.flaked, .failed]
            ),
            Row(
                "11: or flakes, like any error that leaves a section with retries left",
                "EarlierErrors/often",
                flakes: ["slow (not fixable)", "slow (not fixable)"],
                failures: [notRecorded("7:45")],
                .failed,
                [.flaked, .flaked, .failed]
            ),
            Row(
                "11: a retry that a trait inside has left out has not passed",
                "LeftOut/test",
                flakes: ["a race (fixable)"],
                failures: [
                    "Issue recorded: Issue recorded: inside"
                        + " (it flaked with this, and the retry did not come to a flaky section)"
                ],
                .failed,
                [.flaked, .failed]
            ),
            Row(
                "11: a trait around the attempts leaves out none of them",
                "leftOutAround",
                flakes: ["a race (fixable)"],
                .recovered,
                [.flaked, .passed]
            ),
            Row(
                "11: so does what a task of an earlier attempt has recorded",
                "EarlierErrors/ofTask",
                flakes: ["slow (fixable)"],
                failures: [notRecorded("8:42")],
                .failed,
                [.flaked, .failed]
            ),
            Row(
                "11: and a test without a mark that throws what only an earlier test has recorded",
                "EarlierTests",
                failures: ["Expectation failed: nil as Int? → nil: no fixture", notRecorded("28:47")]
            ),
            Row("5: an error that the test catches is nobody's failure", "Errors/caught"),
            Row("5: so it is where another section is around", "Errors/caughtBetweenSections"),
            Row(
                "5: an equal error thrown outside is real",
                "Errors/equalErrorOutside",
                failures: ["Caught error: Boom()"]
            ),
            Row(
                "5: an error that leaves two sections is a flake of the innermost with retries left",
                "Errors/leavesTwo",
                flakes: ["inner (fixable)", "outer (not fixable)"],
                .recovered,
                [.flaked, .flaked, .passed]
            ),
            Row("5: an error that left no section is real", "Errors/outside", failures: ["Caught error: Boom()"]),
            Row(
                "5: the last attempt's error is left as it is",
                "Errors/always",
                flakes: ["a race (fixable)"],
                failures: ["Caught error: Boom()"],
                .failed,
                [.flaked, .failed]
            ),
            Row(
                "7: #require outside a section is one real failure",
                "Errors/requireOutside",
                failures: ["Expectation failed: nil as Int? → nil: no value"]
            ),
        ]

    static let skips = [
        Row("6: a disabled test does not run", "Skips/disabled"),
        Row("6: a test that is cancelled in a section has skipped", "Skips/inSection"),
        Row("6: a task that is cancelled in a section has skipped", "Skips/cancelledInSection"),
        Row(
            "6: a flake stands, though the test then cancels itself",
            "Skips/afterFlake",
            flakes: ["a race (fixable)"],
            .recovered,
            [.flaked, .passed]
        ),
        Row(
            "6: and so do all flakes of one that always does",
            "Skips/everyTimeAfterFlake",
            flakes: Array(repeating: "a race (not fixable)", count: 3),
            .recovered,
            [.flaked, .flaked, .flaked, .passed]
        ),
        Row(
            "6: a retry that skips has not passed",
            "Skips/retrySkips",
            flakes: ["a race (fixable)"],
            failures: [
                "Issue recorded: Expectation failed: (retryCount → 0) > 0: the flake"
                    + " (it flaked with this, and the retry was cancelled)"
            ],
            .failed,
            [.flaked, .skipped]
        ),
        Row(
            "6: a flake that no time is left to retry fails",
            "Skips/cancelledAfterFlake",
            flakes: ["a race (fixable)"],
            failures: [
                "Issue recorded: Expectation failed: (retryCount → 0) > 0: the flake"
                    + " (it flaked with this, and was cancelled before a retry)"
            ],
            .failed,
            [.failed]
        ),
    ]

    static let realFailures = [
        Row(
            "8: an attempt that flaked and then failed for real is not retried",
            "RealFailures/afterFlake",
            flakes: ["a race (fixable)"],
            failures: ["Issue recorded: outside", notRetried],
            .failed,
            [.failed]
        ),
        Row(
            "8: so it is where an error ends it",
            "RealFailures/thrownAfterFlake",
            flakes: ["a race (fixable)"],
            failures: [notRetried, "Caught error: Boom()"],
            .failed,
            [.failed]
        ),
        Row(
            "8: a flake stands, though what failed beside it is filtered out",
            "RealFailures/filteredOut",
            flakes: ["a race (fixable)"],
            failures: [notRetried],
            .failed,
            [.failed]
        ),
        Row(
            "4: a section that is open still when its attempt has ended holds nothing back",
            "LateFailures",
            failures: ["Issue recorded: late"]
        ),
        Row(
            "8: after a real failure nothing is suppressed",
            "RealFailures/beforeFlake",
            failures: ["Issue recorded: outside", "Issue recorded: inside"]
        ),
        Row(
            "8: a retry that fails for real has failed",
            "RealFailures/onRetry",
            flakes: ["a race (fixable)"],
            failures: ["Issue recorded: outside"],
            .failed,
            [.flaked, .failed]
        ),
        Row(
            "8: so has one during which a task fails that an earlier attempt left behind",
            "LeftBehind/failsDuringRetry",
            flakes: ["a race (fixable)"],
            failures: ["Issue recorded: left behind"],
            .failed,
            [.flaked, .failed]
        ),
    ]

    private static func notRecorded(_ place: String) -> String {
        "Issue recorded: Expectation failed at EarlierErrors.swift:\(place), before this attempt"
    }
    private static let notRetried =
        "Issue recorded: Issue recorded: inside (it flaked with this, and failed outside, too: not retried)"
    private static let emptyReason = "Issue recorded: flaky: the reason is empty; say why this section flakes"

    static let marks = [
        Row("10: an empty reason fails", "Marks/emptyReason", failures: [emptyReason]),
        Row("10: a blank reason fails", "Marks/blankReason", failures: [emptyReason]),
        Row(
            "10: a negative count fails",
            "Marks/negativeCount",
            failures: ["Issue recorded: flaky: maxRetryCount is -1; allowed is 0 or more"]
        ),
        Row(
            "10: an empty matching fails",
            "Marks/emptyMatching",
            failures: [
                "Issue recorded: flaky: matching is empty, which every message contains; "
                    + "say what a failure's message contains"
            ]
        ),
        Row("10: so does a bad mark on a test", "Marks/onTest", failures: [emptyReason]),
        Row("10: no section around suppresses it", "Marks/inGoodSection", failures: [emptyReason]),
        Row(
            "10: the section under a bad mark fails as if it were not marked",
            "Marks/failingSection",
            failures: [emptyReason, "Issue recorded: inside"]
        ),
    ]
}
