import Foundation
import Retryable

/// What a fresh process of this program does when it is started to be measured.
enum Workload: Equatable {
    /// So many passing tests on XCTestCase.
    case plain(Int)
    /// So many tests on RetryableTestCase, of which the first few flake once.
    case flaking(Int, of: Int)
    /// One passing test, and nothing told: all that the process does is counted.
    case one(retrying: Bool)
    /// So many tests with a section, of which the first few end their process.
    case supervised(Int, crashes: Int, Supervised.How)
    /// One test that fails.
    case failing
    /// One test with so many passing sections, for a profiler.
    case sections(Int)
    /// Passing tests on XCTestCase and on RetryableTestCase, in turn.
    case passing
    /// Passing tests of Swift Testing, retryable and not, in turn.
    case testing
    /// So many instances that never run.
    case instances(Int, retrying: Bool)

    private static let flag = "--workload"

    init?(hidden arguments: [String]) {
        let words = arguments.dropFirst()
        guard words.first == Self.flag else { return nil }
        let numbers = words.dropFirst(2).compactMap(Int.init) + [0, 0]
        switch words.dropFirst().first {
        case "plain": self = .plain(numbers[0])
        case "flaking": self = .flaking(numbers[0], of: numbers[1])
        case "one": self = .one(retrying: numbers[0] == 1)
        case "supervised":
            let how = words.last.flatMap(Supervised.How.init) ?? .not
            self = .supervised(numbers[0], crashes: numbers[1], how)
        case "failing": self = .failing
        case "sections": self = .sections(numbers[0])
        case "passing": self = .passing
        case "testing": self = .testing
        case "instances": self = .instances(numbers[0], retrying: numbers[1] == 1)
        default: return nil
        }
    }

    var arguments: [String] {
        switch self {
        case .plain(let count): [Self.flag, "plain", "\(count)"]
        case .flaking(let few, let count): [Self.flag, "flaking", "\(few)", "\(count)"]
        case .one(let retrying): [Self.flag, "one", retrying ? "1" : "0"]
        case .supervised(let count, let crashes, let how):
            [Self.flag, "supervised", "\(count)", "\(crashes)", how.rawValue]
        case .failing: [Self.flag, "failing"]
        case .sections(let count): [Self.flag, "sections", "\(count)"]
        case .passing: [Self.flag, "passing"]
        case .testing: [Self.flag, "testing"]
        case .instances(let count, let retrying): [Self.flag, "instances", "\(count)", retrying ? "1" : "0"]
        }
    }

    /// What a process tells of itself.
    struct Sample: Codable {
        /// How long its tests took, by the clock and of the processor's time.
        var seconds = 0.0
        var processorSeconds = 0.0
        /// The most memory it had, and what its instances took, in bytes.
        var peak = 0
        var grown = 0
        var exitCode = 0
        /// What a passing test costs that may be retried, and one that may not, in seconds.
        var perTest = Versus()

        struct Versus: Codable {
            var retrying = 0.0
            var ordinary = 0.0
        }
    }

    func runAndExit() -> Never {
        stayOnOneProcessor()
        var sample = Sample()
        switch self {
        case .passing:
            sample.perTest = Passing.perTest()
        case .testing:
            Task.detached { Self.tellAndExit(Sample(perTest: await SwiftTesting.perTest())) }
            dispatchMain()
        case .supervised(_, _, let how):
            how.prepare()
            exit(XCTMain([entry], arguments: ["benchmarks"], observers: []))
        case .one:
            exit(XCTMain([entry], arguments: ["benchmarks"], observers: []))
        case .instances(let count, let retrying):
            sample.grown = Self.memory(of: count, retrying: retrying)
        default:
            let before = processorTime
            sample.seconds = seconds {
                sample.exitCode = Int(XCTMain([entry], arguments: ["benchmarks"], observers: []))
            }
            sample.processorSeconds = processorTime - before
        }
        sample.peak = ProcessMemory.now.peak
        Self.tellAndExit(sample)
    }

    private static func tellAndExit(_ sample: Sample) -> Never {
        do {
            FileHandle.standardOutput.write(try JSONEncoder().encode(sample))
        } catch {
            say("\(error)")
        }
        exit(0)
    }

    private var entry: XCTestCaseEntry {
        switch self {
        case .plain(let count):
            return (Passing.Ordinary.self, Self.tests(count) { _, _ in XCTAssertEqual(1, 1) })
        case .flaking(let few, let count):
            let tests = Self.tests(count) { index, test in
                guard let test = test as? RetryableTestCase, index < few else { return XCTAssertEqual(1, 1) }
                test.flaky(.fixable(reason: "a race")) { XCTAssertEqual(test.retryCount, 1) }
            }
            return (Passing.Retrying.self, tests)
        case .one(let retrying):
            let tests = Self.tests(1) { _, _ in XCTAssertEqual(1, 1) }
            return retrying ? (Passing.Retrying.self, tests) : (Passing.Ordinary.self, tests)
        case .supervised(let count, let crashes, _):
            let tests = Self.tests(count) { index, test in
                if index < crashes { kill(getpid(), SIGKILL) }
                guard let test = test as? RetryableTestCase else { return }
                test.flaky(.fixable(reason: "a race")) { XCTAssertEqual(1, 1) }
            }
            return (Passing.Retrying.self, tests)
        case .sections(let count):
            let tests = Self.tests(1) { _, test in
                guard let test = test as? RetryableTestCase else { return }
                var calls = 0
                for _ in 0..<count { test.flaky(.fixable(reason: "a race")) { calls += 1 } }
                XCTAssertEqual(calls, count)
            }
            return (Passing.Retrying.self, tests)
        case .failing, .passing, .testing, .instances:
            return (Passing.Ordinary.self, Self.tests(1) { _, _ in XCTFail("on purpose") })
        }
    }

    private static func tests(
        _ count: Int,
        _ body: @escaping (Int, XCTestCase) -> Void
    ) -> [(String, XCTestCaseClosure)] {
        (0..<count).map { index in ("test\(index)", { test in body(index, test) }) }
    }

    private static func memory(of count: Int, retrying: Bool) -> Int {
        var instances: [XCTestCase] = []
        instances.reserveCapacity(count)
        func make(_ count: Int) {
            for index in 0..<count {
                let name = "test\(index)"
                instances.append(
                    retrying
                        ? Passing.Retrying(name: name, testClosure: { _ in })
                        : Passing.Ordinary(name: name, testClosure: { _ in })
                )
            }
        }
        make(1_000)
        let before = ProcessMemory.now.current
        make(count - 1_000)
        let after = ProcessMemory.now.current
        return withExtendedLifetime(instances) { after - before }
    }
}
