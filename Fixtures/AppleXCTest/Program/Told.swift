import Retryable

/// Keeps what explains a flake, as Xcode.md says.
class Told: SyncTest {
    override func didFlake() {
        print("told of attempt \(retryCount + 1)")
        MainActor.assumeIsolated {
            let screen = XCTAttachment(screenshot: XCUIScreen.main.screenshot())
            let tree = XCTAttachment(string: XCUIApplication().debugDescription)
            (screen.name, tree.name) = ("screen", "tree")
            XCTContext.runActivity(named: "what the flake saw") { activity in
                for attachment in [screen, tree] {
                    attachment.lifetime = .keepAlways
                    activity.add(attachment)
                }
            }
        }
    }
}

/// Flakes twice in one attempt, by failures that carry something.
final class ToldOnce: Told {
    override func test() {
        flaky(.fixable(reason: "a race")) {
            for name in ["first", "second"] where retryCount == 0 {
                var issue = XCTIssue(type: .assertionFailure, compactDescription: name)
                let attachment = XCTAttachment(string: "of the \(name)")
                attachment.name = name
                issue.add(attachment)
                record(issue)
                print("after the \(name)")
            }
        }
    }
}

final class ToldInSetUp: Told {
    override func setUp() {
        flaky(.fixable(reason: "slow to start")) { XCTAssertTrue(retryCount > 0) }
        print("after setUp")
    }
}

final class NotToldOfReal: Told {
    override func test() {
        flaky(.fixable(reason: "not this part")) {}
        XCTFail("outside")
    }
}

/// Should stop at its flake, and does once it was told.
final class ToldAndStops: Told {
    override func setUp() { continueAfterFailure = false }

    override func test() {
        flaky(.fixable(reason: "a race")) { XCTAssertTrue(retryCount > 0, "the flake") }
        print("after the section")
    }
}

final class FailsWhenTold: SyncTest {
    override func test() {
        flaky(.fixable(reason: "a race")) { XCTFail("inside") }
    }

    override func didFlake() {
        flaky(.notFixable(reason: "no section", maxRetryCount: 9)) { XCTFail("in didFlake") }
    }
}

/// Fails on a queue, where UI classes cannot be used.
final class ToldElsewhere: Told {
    override func test() {
        let isFirst = retryCount == 0
        flaky(.fixable(reason: "a callback")) {
            let called = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                if isFirst { XCTFail("called back") }
                called.signal()
            }
            called.wait()
        }
    }
}
