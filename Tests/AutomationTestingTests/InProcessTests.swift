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
    @Test("a checkpoint ends the wait wherever it is posted; an element that is already in its state is not waited for")
    func seen() async {
        let result = await #expect(processExitsWith: .success, observing: bothStreams) {
            await runTests([
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
                "testElementInAStateThatImpliesIt": { test in
                    announceElement(.row, is: .tappable)
                    XCTAssertTrue(test.waitForElement(.row, toBe: .visible, timeout: 0))
                    announceElement(.row, is: .gone)
                    XCTAssertTrue(test.waitForElement(.row, toBe: .gone, timeout: 0))
                    Thread.detachNewThread { announceElement(.row, is: .present) }
                    XCTAssertTrue(test.waitForElement(.row, toBe: .present))
                },
                "testAwaitedElement": awaiting { test in
                    announceElement(.row, is: .visible)
                    let isVisible = await test.waitForElement(.row, toBe: .visible, timeout: 0)
                    XCTAssertTrue(isVisible)
                },
            ])
        }
        #expect(result.output.contains("Executed 6 tests, with 0 failures"))
    }

    @Test("a wait in vain fails at the caller's line with what was seen instead in this test, and the test goes on")
    func inVain() async {
        let result = await #expect(processExitsWith: .failure, observing: bothStreams) {
            await runTestsInVain()
        }
        let numbers = (2...19).map { #"checkpoint "\#($0)", "# }.joined()
        let refreshed = #"failed - checkpoint "refreshed" was not posted"#
        #expect(
            result.output.failures == [
                #"User.swift:1: failed - element "row" was not announced visible within 0.01 s; seen instead: element "spinner" visible"#,
                #"User.swift:2: failed - element "row" was not announced visible within 0.01 s; nothing was seen instead"#,
                "User.swift:10: \(refreshed) within 0.01 s; nothing was seen instead",
                "User.swift:20: \(refreshed) within 0.01 s; seen instead: 1 earlier, then "
                    + numbers + #"checkpoint "other", element "row" visible"#,
                #"User.swift:30: \#(refreshed) within 0.01 s; seen instead: checkpoint "other""#,
                #"User.swift:40: failed - element "row" was not announced visible within 0.01 s; seen instead: element "row" present"#,
                #"User.swift:50: failed - element "spinner" was not announced gone within 0.01 s; seen instead: element "row" present"#,
                "User.swift:60: \(refreshed) before the waiting task was cancelled; nothing was seen instead",
                "<EXPR>:0: threw error \"Refused()\"", "<EXPR>:0: threw error \"Refused()\"",
            ]
        )
    }
}

/// Outside the test, because inside a macro every line is the macro's.
private func runTestsInVain() async -> Never {
    struct Refused: Error {}
    await runTests([
        // Not even the first test that waits finds the elements that an earlier one left.
        "testLeavesAnElement": { _ in announceElement(.row, is: .visible) },
        "testFirstWait": { test in
            announceElement(.spinner, is: .visible)
            XCTAssertTrue(test.waitForElement(.spinner, toBe: .visible, timeout: 0))
            #sourceLocation(file:"User.swift",line:1)
            test.waitForElement(.row, toBe: .visible, timeout: 0.01)
        },
        "testFindsAnElement": awaiting { @MainActor test in
            announceElement(.row, is: .visible)
            await test.waitForElement(.row, toBe: .visible)
        },
        "testFindsNoneOfAnEarlierTest": { test in
            #sourceLocation(file:"User.swift",line:2)
            test.waitForElement(.row, toBe: .visible, timeout: 0.01)
        },
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
        },
        "testCancelled": awaiting { test in
            nonisolated(unsafe) let test = test
            let wait: @Sendable () async -> Bool = {
                #sourceLocation(file:"User.swift",line:60)
                await test.waitForCheckpoint(.refreshed) {}
                #sourceLocation()
            }
            let task = Task { await wait() }
            task.cancel()
            let isSeen = await task.value
            XCTAssertFalse(isSeen)
        },
        "testThrowingAction": { try $0.waitForCheckpoint(.refreshed) { throw Refused() } },
        "testThrowingAsyncAction": awaiting { try await $0.waitForCheckpoint(.refreshed) { throw Refused() } },
    ])
}
