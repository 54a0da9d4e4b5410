import AutomationTesting
import Foundation
import Testing

extension Checkpoint {
    static let refreshed = Checkpoint("refreshed")
    static let other = Checkpoint("other")
}

extension ElementIdentifier {
    static let row = ElementIdentifier("row")
    static let spinner = ElementIdentifier("spinner")
}

@Suite("Waiting in one process")
struct InProcessTests {
    @Test("a checkpoint posted by the action, on another thread or in another task ends the wait")
    func checkpointIsSeen() async {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) {
            runTests([
                "testByAction": { test in
                    XCTAssertTrue(test.waitForCheckpoint(.refreshed) { postCheckpoint(.refreshed) })
                },
                "testByThread": { test in
                    XCTAssertTrue(
                        test.waitForCheckpoint(.refreshed) {
                            Thread.detachNewThread { postCheckpoint(.refreshed) }
                        }
                    )
                },
                "testByTask": awaiting { test in
                    let isSeen = await test.waitForCheckpoint(.refreshed) { Task { postCheckpoint(.refreshed) } }
                    XCTAssertTrue(isSeen)
                },
                "testByMainActor": awaiting { @MainActor test in
                    var count = 0
                    let isSeen = await test.waitForCheckpoint(.refreshed) {
                        count += 1
                        Task { postCheckpoint(.refreshed) }
                    }
                    XCTAssertTrue(isSeen)
                    XCTAssertEqual(count, 1)
                },
            ])
        }
        #expect(result.output.contains("Executed 4 tests, with 0 failures"))
    }

    @Test("a wait in vain fails at the caller's line with what was seen instead, and the test goes on")
    func timeout() async {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            runTestsInVain()
        }
        let numbers = (2...19).map { #"checkpoint "\#($0)", "# }.joined()
        #expect(
            result.output.failures == [
                #"User.swift:10: failed - checkpoint "refreshed" was not posted within 0.01 s; nothing was seen instead"#,
                #"User.swift:20: failed - checkpoint "refreshed" was not posted within 0.01 s; seen instead: 1 earlier, then "#
                    + numbers + #"checkpoint "other", element "row" visible"#,
                #"User.swift:30: failed - checkpoint "refreshed" was not posted within 0.01 s; seen instead: checkpoint "other""#,
                #"User.swift:40: failed - element "row" was not announced visible within 0.01 s; seen instead: element "row" present"#,
                #"User.swift:50: failed - element "spinner" was not announced gone within 0.01 s; seen instead: element "row" present"#,
            ]
        )
    }

    @Test("an element that is already in a state, or in one that implies it, is not waited for")
    func elementIsThere() async {
        await #expect(processExitsWith: .success) {
            runTests([
                "testSync": { test in
                    announceElement(.row, is: .tappable)
                    XCTAssertTrue(test.waitForElement(.row, toBe: .visible, timeout: 0))
                    announceElement(.row, is: .gone)
                    XCTAssertTrue(test.waitForElement(.row, toBe: .gone, timeout: 0))
                    Thread.detachNewThread { announceElement(.row, is: .present) }
                    XCTAssertTrue(test.waitForElement(.row, toBe: .present))
                },
                "testAsync": awaiting { test in
                    announceElement(.row, is: .visible)
                    let isVisible = await test.waitForElement(.row, toBe: .visible, timeout: 0)
                    XCTAssertTrue(isVisible)
                },
            ])
        }
    }

    @Test("a test does not find the elements that the test before it left")
    func elementsPerTest() async {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            runTests([
                "testFirst": awaiting { @MainActor test in
                    announceElement(.row, is: .visible)
                    await test.waitForElement(.row, toBe: .visible)
                },
                "testSecond": { $0.waitForElement(.row, toBe: .visible, timeout: 0.01) },
            ])
        }
        #expect(result.output.failures.map { $0.hasSuffix("nothing was seen instead") } == [true])
    }

    @Test("not even the first test that waits finds the elements that an earlier one left")
    func elementsBeforeTheFirstWait() async {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            runTests([
                "testFirst": { _ in announceElement(.row, is: .visible) },
                "testSecond": { test in
                    announceElement(.spinner, is: .visible)
                    XCTAssertTrue(test.waitForElement(.spinner, toBe: .visible, timeout: 0))
                    test.waitForElement(.row, toBe: .visible, timeout: 0.01)
                },
            ])
        }
        #expect(result.output.failures.map { $0.hasSuffix(#"seen instead: element "spinner" visible"#) } == [true])
    }

    @Test("an error in the action leaves the wait, and is the test's")
    func throwingAction() async {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            struct Refused: Error {}
            runTests([
                "testSync": { try $0.waitForCheckpoint(.refreshed) { throw Refused() } },
                "testAsync": awaiting { try await $0.waitForCheckpoint(.refreshed) { throw Refused() } },
            ])
        }
        #expect(result.output.failures.map { $0.hasSuffix("threw error \"Refused()\"") } == [true, true])
    }

    @Test("a task that is cancelled waits no longer, and the test fails")
    func cancellation() async {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            runTests([
                "testCancelled": awaiting { test in
                    nonisolated(unsafe) let test = test
                    let wait: @Sendable () async -> Bool = { await test.waitForCheckpoint(.refreshed) {} }
                    let task = Task { await wait() }
                    task.cancel()
                    let isSeen = await task.value
                    XCTAssertFalse(isSeen)
                }
            ])
        }
        #expect(
            result.output.failures.map {
                $0.hasSuffix("before the waiting task was cancelled; nothing was seen instead")
            }
                == [true]
        )
    }
}

/// Outside the test, because inside a macro every line is the macro's.
private func runTestsInVain() -> Never {
    runTests([
        "testNothing": { test in
            #sourceLocation(file:"User.swift",line:10)
            XCTAssertFalse(test.waitForCheckpoint(.refreshed, timeout: 0.01) {})
        },
        "testOthers": { test in
            #sourceLocation(file:"User.swift",line:20)
            test.waitForCheckpoint(.refreshed, timeout: 0.01) {
                for index in 1...19 { postCheckpoint(Checkpoint("\(index)")) }
                postCheckpoint(.other)
                announceElement(.row, is: .visible)
            }
        },
        "testAsync": awaiting { test in
            #sourceLocation(file:"User.swift",line:30)
            await test.waitForCheckpoint(.refreshed, timeout: 0.01) { postCheckpoint(.other) }
        },
        "testElement": { test in
            announceElement(.row, is: .present)
            #sourceLocation(file:"User.swift",line:40)
            test.waitForElement(.row, toBe: .visible, timeout: 0.01)
            #sourceLocation(file:"User.swift",line:50)
            test.waitForElement(.spinner, toBe: .gone, timeout: 0.01)
            #sourceLocation()
        },
    ])
}
