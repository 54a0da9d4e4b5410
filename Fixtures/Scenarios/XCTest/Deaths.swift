import Retryable

extension Scenario {
    /// Every way to die in every place: `trap in a section`. And deaths among other trouble.
    static var deaths: [Scenario] {
        DeathPlace.allCases.flatMap { place in
            DeathWay.allCases.map { way in
                Scenario("\(way.rawValue) \(place.rawValue)") {
                    Dying.way = way
                    Dying.place = place
                    let tests = test("test1", Dying.passes) + test("test2", Dying.dies) + test("test3", Dying.passes)
                    return [
                        place == .plain ? (PlainDying.self, tests) : (Dying.self, tests),
                        (AfterDying.self, test("test", Dying.passes)),
                    ]
                }
            }
        } + [
            Scenario("a flake, then a crash", testCase([("test1", Troubled.flakes), ("test2", Troubled.crashes)])),
            Scenario("a crash, then a flake", testCase([("test1", Troubled.crashes), ("test2", Troubled.flakes)])),
            Scenario("two crashes", testCase([("test1", Troubled.crashesOnce), ("test2", Troubled.crashesOnce)])),
            Scenario(
                "a crash on a retry",
                testCase([
                    ("test1", Troubled.flakes), ("test2", Troubled.crashesOnRetry), ("test3", Troubled.flakesTwice),
                ]),
                testCase([("test", TroubledToo.flakes)])
            ),
            Scenario("many crashes") {
                [
                    (
                        Troubled.self,
                        (1...300).flatMap { test("test\($0)", $0 % 15 == 0 ? Troubled.crashing : Dying.passes) }
                    )
                ]
            },
            Scenario("sleeps in a group of its own") {
                // The signals that end it may be ignored where it was started.
                for ending in [SIGTERM, SIGINT, SIGHUP] { signal(ending, SIG_DFL) }
                setpgid(0, 0)
                return [(AfterDying.self, test("test", { _ in DeathWay.sleep.happen() }))]
            },
            Scenario("is stopped for longer than the limit") {
                [(AfterDying.self, test("test", { _ in try stopFor(seconds: 4) }))]
            },
            Scenario("a crash in tearDown, after a flake", testCase([("test", Torn.flakes)])),
            Scenario(
                "a crash, then a hang when the class is set up again",
                testCase([("test1", SetUpOnce.crashes), ("test2", SetUpOnce.flakes), ("test3", SetUpOnce.flakes)])
            ),
            Scenario("a crash on a retry beyond the limit of flakes", testCase([("test", Troubled.crashesOnRetry)])),
            Scenario("a test that is not performed", testCase([("test", NotPerformed.flakes)])),
            Scenario("a flake and a crash in one attempt", testCase([("test", Troubled.flakesAndCrashes)])),
            Scenario("a flake, and a crash outside of its section", testCase([("test", Troubled.flakesThenCrashes)])),
            Scenario(
                "a crash in class tearDown in each round",
                testCase([("test1", TornInRounds.flakes), ("test2", TornInRounds.flakesTwice)])
            ),
            Scenario("a crash where the ends of children are ignored") {
                // As some programs have it that start others. This process asks for it before it has a child.
                signal(SIGCHLD, SIG_IGN)
                return [(Troubled.self, test("test", Troubled.crashing))]
            },
            Scenario("a crash in a section, while a process that it forked is in another") {
                [(Troubled.self, test("test", Troubled.crashing(besideFork:)))]
            },
            Scenario("a crash after the last test", testCase([("test", Troubled.crashesAtExit)])),
            Scenario(
                "a crash without a report",
                testCase([("test1", Troubled.flakesAlone), ("test2", Troubled.crashes)])
            ),
        ]
    }

    private static func stopFor(seconds: Int) throws {
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/bin/sh")
        other.arguments = ["-c", "sleep \(seconds); kill -CONT \(getpid())"]
        try other.run()
        kill(getpid(), SIGSTOP)
        other.waitUntilExit()
    }

    private static func test(_ name: String, _ closure: @escaping XCTestCaseClosure) -> [(String, XCTestCaseClosure)] {
        [(name, closure)]
    }
}

/// How a test ends its process, or keeps it for ever.
enum DeathWay: String, CaseIterable {
    case trap, overflow, sigkill, exit0, exit3, quickExit, thread
    case lock, sleep, await, child

    func happen() {
        switch self {
        case .trap: fatalError("on purpose")
        case .overflow: print(overflow(0))
        case .sigkill: kill(getpid(), SIGKILL)
        case .exit0: exit(0)
        case .exit3: exit(3)
        case .quickExit: _exit(0)
        case .thread:
            Thread.detachNewThread { fatalError("on a thread, on purpose") }
            Thread.sleep(forTimeInterval: 600)
        case .lock:
            let lock = NSLock()
            lock.lock()
            lock.lock()
        case .sleep: Thread.sleep(forTimeInterval: 600)  // what ends it may be late on a busy machine
        case .await:
            let ended = DispatchSemaphore(value: 0)
            Task {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                ended.signal()
            }
            ended.wait()
        case .child:
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/bin/sleep")
            child.arguments = ["60"]
            try? child.run()
            child.waitUntilExit()
        }
    }

    private func overflow(_ depth: Int) -> Int { depth < 0 ? 0 : overflow(depth + 1) + depth }
}

/// Where it does so.
enum DeathPlace: String, CaseIterable {
    case section = "in a section"
    case everySection = "in a section, always"
    case outside = "outside"
    case plain = "in an XCTestCase"
    case setUp = "in setUp"
    case classSetUp = "in class setUp"
    case tearDown = "in tearDown"
    case classTearDown = "in class tearDown"
    case block = "in a teardown block"
    case afterFailure = "after a failure"
}

class Dying: RetryableTestCase {
    nonisolated(unsafe) static var way = DeathWay.trap
    nonisolated(unsafe) static var place = DeathPlace.section

    static func passes(_: XCTestCase) {}

    static func dies(_ test: XCTestCase) throws {
        guard let test = test as? Dying else { return way.happen() }
        switch place {
        case .section: test.flaky(.fixable(reason: "a race")) { if test.retryCount == 0 { way.happen() } }
        case .everySection: test.flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { way.happen() }
        case .outside: way.happen()
        case .block: test.addTeardownBlock { way.happen() }
        case .afterFailure:
            XCTFail("before")
            test.flaky(.fixable(reason: "a race")) { way.happen() }
        default: break
        }
    }

    private var isToDie: Bool { name.hasSuffix("test2") }

    override class func setUp() {
        print("\(self) set up")
        if place == .classSetUp { way.happen() }
    }

    override class func tearDown() {
        print("\(self) torn down")
        if place == .classTearDown { way.happen() }
    }

    override func setUp() { if Self.place == .setUp, isToDie { Self.way.happen() } }
    override func tearDown() { if Self.place == .tearDown, isToDie { Self.way.happen() } }
}

final class PlainDying: XCTestCase {}

final class AfterDying: RetryableTestCase {}

/// Crashes among flakes.
class Troubled: RetryableTestCase {
    override class func setUp() { print("\(self) set up") }
    override class func tearDown() { print("\(self) torn down") }

    func flakes() { flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) } }

    func flakesTwice() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) { XCTAssertGreaterThan(retryCount, 1) }
    }

    func crashes() { fatalError("on purpose") }

    func crashesOnce() { flaky(.fixable(reason: "a race")) { if retryCount == 0 { fatalError("on purpose") } } }

    static func crashing(_ test: XCTestCase) { (test as? Troubled)?.crashesOnce() }

    func crashesOnRetry() {
        flaky(.notFixable(reason: "a race", maxRetryCount: 2)) {
            XCTAssertGreaterThan(retryCount, 0)
            if retryCount == 1 { fatalError("on purpose") }
        }
    }

    func flakesAndCrashes() {
        flaky(.fixable(reason: "a race")) {
            XCTAssertGreaterThan(retryCount, 0)
            if retryCount == 0 { fatalError("on purpose") }
        }
    }

    func flakesThenCrashes() {
        flaky(.fixable(reason: "a race")) { XCTAssertGreaterThan(retryCount, 0) }
        fatalError("on purpose")
    }

    /// The forked process leaves a section that this one has open still.
    static func crashing(besideFork test: XCTestCase) {
        guard let test = test as? Troubled else { return }
        let isFork = test.flaky(.fixable(reason: "a race")) {
            let other = test.retryCount == 0 ? fork() : -1
            if other == 0 { return true }
            var status: CInt = 0
            waitpid(other, &status, 0)
            if test.retryCount == 0 { fatalError("on purpose") }
            return false
        }
        if isFork { _exit(0) }
    }

    func crashesAtExit() { atexit { kill(getpid(), SIGKILL) } }

    /// Flakes where its report cannot be written any more: a folder stands in its place.
    func flakesAlone() throws {
        let report = ProcessInfo.processInfo.environment["RETRYABLE_REPORT"] ?? ""
        if retryCount == 0 {
            try FileManager.default.removeItem(atPath: report)
            try FileManager.default.createDirectory(atPath: report, withIntermediateDirectories: false)
        }
        flakes()
    }
}

final class TroubledToo: Troubled {}

final class NotPerformed: Troubled {
    override func perform(_ run: XCTestRun) {}
}

final class Torn: Troubled {
    override func tearDown() { fatalError("on purpose") }
}

/// Crashes when the class of its retries has been torn down.
final class TornInRounds: Troubled {
    nonisolated(unsafe) private static var isRetried = false

    override func setUp() { if retryCount > 0 { Self.isRetried = true } }
    override class func tearDown() { if isRetried { fatalError("on purpose") } }
}

/// Hangs when it is set up for the second time: then its mark stands beside the report.
final class SetUpOnce: Troubled {
    override class func setUp() {
        let mark = (ProcessInfo.processInfo.environment["RETRYABLE_REPORT"] ?? "") + ".mark"
        if FileManager.default.fileExists(atPath: mark) { DeathWay.sleep.happen() }
        _ = FileManager.default.createFile(atPath: mark, contents: nil)
    }
}
