import Retryable

/// Runs the classes of one scenario, and exits as `xctest` would.
@main
enum Program {
    static func main() {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let classes = scenarios[name] else {
            print("no scenario is called \(name)")
            exit(99)
        }
        let bundleFirst = CommandLine.arguments.contains("--bundle-first")
        exit(XCTestRunner.run(classes, bundleFirst: bundleFirst) ? 0 : 1)
    }

    static let scenarios: [String: [XCTestCase.Type]] = [
        "recovers": [Recovers.self],
        "exhausted": [Exhausted.self],
        "fails outside": [FailsOutside.self],
        "flakes, then fails": [FlakesThenFails.self],
        "stops": [Stops.self],
        "stops in a task": [StopsInTask.self],
        "stops on real": [StopsOnReal.self],
        "after a stop": [Stops.self, AfterStop.self],
        "async": [Async.self],
        "throws": [Throws.self],
        "throws outside": [ThrowsOutside.self],
        "unwraps": [Unwraps.self],
        "unwaited": [Unwaited.self],
        "warns": [Warns.self],
        "two classes": [First.self, Second.self],
        "many rounds": [ManyRounds.self],
        "skips": [Skips.self],
        "retry not invoked": [RetryNotInvoked.self],
        "steps": [Steps.self],
        "by hand": [ByHand.self],
        "in tearDown": [InTearDown.self],
        "expects a failure": [ExpectsFailure.self],
        "flakes and expects a failure": [FlakesAndExpects.self],
    ]
}

struct Boom: Error {}
