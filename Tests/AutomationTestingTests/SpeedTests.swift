import AutomationTesting
import Dispatch
import TestSupport

/// How long it takes from an event to the next line of the test that waits for it.
///
/// The table is printed. The marks are checked with `AUTOMATION_MARKS=1` in the environment, on a machine that does nothing
/// else; without it only what holds on any machine.
final class SpeedTests: XCTestCase {
    func testWaiting() throws {
        let thread = Times("other thread", count: 500) { sample in
            waitForCheckpoint(.refreshed) {
                Thread.detachNewThread {
                    usleep(100)
                    sample.begin()
                    postCheckpoint(.refreshed)
                }
            }
        }
        let queue = Times("main queue", count: 500) { sample in
            waitForCheckpoint(.refreshed) {
                DispatchQueue.main.asyncAfter(deadline: .now() + .microseconds(100)) {
                    sample.begin()
                    postCheckpoint(.refreshed)
                }
            }
        }
        let app = try launchApp("UnrulyApp", until: Checkpoint("ready"))
        // There and back, so more than is asked for.
        let process = Times("app process and back", count: 500) { sample in
            app.waitForCheckpoint(.refreshed) {
                sample.begin()
                app.send("post refreshed")
            }
        }
        let predicate = Times("XCTNSPredicateExpectation", count: 5) { sample in
            let flag = Locked(false)
            let isSet = XCTNSPredicateExpectation(
                predicate: NSPredicate { _, _ in flag.withLock { $0 } },
                object: nil
            )
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
                sample.begin()
                flag.withLock { $0 = true }
            }
            wait(for: [isSet], timeout: 10)
        }
        let delay = Times("delay of 0.3 s", count: 3) { sample in
            sample.begin()
            Thread.sleep(forTimeInterval: 0.3)
        }
        for times in [thread, queue, process, predicate, delay] { print(times) }

        for times in [thread, queue, process] { XCTAssertLessThan(times.median, delay.median / 10) }
        guard ProcessInfo.processInfo.environment["AUTOMATION_MARKS"] == "1" else { return }
        for times in [thread, queue] {
            XCTAssertLessThan(times.median, 100)
            XCTAssertLessThan(times.percentile99, 1000)
        }
        XCTAssertLessThan(process.median, 1000)
        for times in [thread, queue, process] { XCTAssertLessThan(times.median, predicate.median / 5) }
    }

    func testAwaiting() async {
        let times = await Times("other task, awaited", count: 500) { sample in
            await waitForCheckpoint(.refreshed) {
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(100)) {
                    sample.begin()
                    postCheckpoint(.refreshed)
                }
            }
        }
        print(times)
        XCTAssertLessThan(times.median, 30_000)
    }

    func testPostsThatNobodyWaitsFor() throws {
        func post(_ count: Int) {
            for _ in 0..<count { postCheckpoint(.other) }
        }
        post(10_000)
        let memory = try residentMemory()
        let start = DispatchTime.now().uptimeNanoseconds
        post(10_000)
        let each = Double(DispatchTime.now().uptimeNanoseconds - start) / 10_000_000
        post(1_000_000)
        let held = try residentMemory() - memory
        print("a post that nobody waits for: \(each) µs; held after a million: \(held) KB")
        XCTAssertLessThan(held, 1000)
        XCTAssertLessThan(each, ProcessInfo.processInfo.environment["AUTOMATION_MARKS"] == "1" ? 1 : 50)
    }

    /// In KB; 0 where the system has no such file.
    private func residentMemory() throws -> Int {
        guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return 0 }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try XCTUnwrap(line.split(separator: " ").compactMap { Int($0) }.first)
    }
}

/// The times, in microseconds, that one way of waiting took.
private struct Times: CustomStringConvertible {
    /// One measurement: from ``begin()`` to the end of the wait.
    final class Sample: Sendable {
        private let start = Locked<UInt64>(0)

        func begin() {
            start.withLock { $0 = DispatchTime.now().uptimeNanoseconds }
        }

        var microseconds: Double {
            let end = DispatchTime.now().uptimeNanoseconds
            return Double(end - start.withLock { $0 }) / 1000
        }
    }

    let name: String
    private var sorted: [Double] = []

    init(_ name: String, count: Int, _ wait: (Sample) -> Void) {
        self.name = name
        for _ in 0..<count {
            let sample = Sample()
            wait(sample)
            sorted.append(sample.microseconds)
        }
        sorted.sort()
    }

    init(_ name: String, count: Int, isolation: isolated (any Actor)? = #isolation, _ wait: (Sample) async -> Void)
        async
    {
        self.name = name
        for _ in 0..<count {
            let sample = Sample()
            await wait(sample)
            sorted.append(sample.microseconds)
        }
        sorted.sort()
    }

    var median: Double { sorted[sorted.count / 2] }
    var percentile99: Double { sorted[sorted.count * 99 / 100] }

    var description: String {
        String(format: "%10.1f µs median, %10.1f µs 99th percentile: ", median, percentile99) + name
    }
}
