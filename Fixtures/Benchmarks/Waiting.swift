import AutomationTesting
import Groundwork

/// How long it takes from an event to the next line of the test that waits for it.
///
/// In a release build the events are compiled out, unless it is built with `-Xswiftc -DAPP_AUTOMATION`.
enum Waiting {
    nonisolated(unsafe) private static var times = Times()  // one test, on the main thread
    private static let count = 500

    /// Seconds, for each way that an event comes.
    private struct Times {
        var thread: [Double] = []
        var queue: [Double] = []
        var app: [Double] = []
        var predicate: [Double] = []
    }

    static func rows() -> [Row] {
        #if DEBUG || APP_AUTOMATION
            let suite = XCTestSuite(name: "Waiting")
            suite.addTest(Bench(name: "test") { test in try (test as? Bench)?.measure() })
            suite.run()
            return [
                row("a wait for another thread's checkpoint", times.thread, atMost: 100),
                row("a wait for a checkpoint on the main queue", times.queue, atMost: 100),
                row("a wait for an app process's checkpoint", times.app, atMost: 150),
            ]
        #else
            say("waits are not measured: this build posts no events")
            return []
        #endif
    }

    private static func row(_ what: String, _ seconds: [Double], atMost limit: Double) -> Row {
        let worst = seconds.sorted().dropLast(seconds.count / 100).last
        let microseconds = { (seconds: Double?) in "\(((seconds ?? .nan) * 1e6).text(0)) µs" }
        return Row(
            what: what,
            against: "\(limit.text(0)) µs",
            ratio: seconds.isEmpty ? nil : seconds.median * 1e6 / limit,
            detail: "\(microseconds(seconds.median)), \(microseconds(worst)) at the 99th percentile; "
                + "XCTNSPredicateExpectation takes \(microseconds(times.predicate.median))",
            // A test waits for hundreds of events; up to the limit, a thousand waits take 0.15 s more than what they wait for.
            atMost: 1
        )
    }

    private final class Bench: XCTestCase {
        func measure() throws {
            times.thread = samples { beginning in
                waitForCheckpoint(.seen) {
                    Thread.detachNewThread {
                        usleep(100)
                        beginning.setToNow()
                        postCheckpoint(.seen)
                    }
                }
                return DispatchTime.now()
            }
            times.queue = samples { beginning in
                waitForCheckpoint(.seen) {
                    DispatchQueue.main.asyncAfter(deadline: .now() + .microseconds(100)) {
                        beginning.setToNow()
                        postCheckpoint(.seen)
                    }
                }
                return DispatchTime.now()
            }
            let app = try launchApp("UnrulyApp", until: Checkpoint("ready"))
            times.app = samples { beginning in
                app.waitForCheckpoint(Checkpoint("printed")) { app.send("time") }
                let end = DispatchTime.now()
                // The app says on the same clock when it was about to post.
                let told = app.output.split(separator: "\n").last.flatMap { UInt64($0) }
                beginning.withLock { $0 = told ?? 0 }
                return end
            }
            times.predicate = samples(5) { beginning in
                let flag = Locked(false)
                let isSet = XCTNSPredicateExpectation(
                    predicate: NSPredicate { _, _ in flag.withLock { $0 } },
                    object: nil
                )
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
                    beginning.setToNow()
                    flag.withLock { $0 = true }
                }
                wait(for: [isSet], timeout: 10)
                return DispatchTime.now()
            }
        }

        /// Returns the seconds from when an event came, which `wait` is to set, to when the test went on.
        private func samples(_ count: Int = Waiting.count, _ wait: (Locked<UInt64>) -> DispatchTime) -> [Double] {
            (0..<count).map { _ in
                let beginning = Locked<UInt64>(0)
                let end = wait(beginning)
                return Double(end.uptimeNanoseconds - beginning.withLock { $0 }) / 1e9
            }
        }
    }
}

extension Locked<UInt64> {
    fileprivate func setToNow() {
        let now = DispatchTime.now().uptimeNanoseconds
        withLock { $0 = now }
    }
}

extension Checkpoint {
    fileprivate static let seen = Checkpoint("seen")
}
