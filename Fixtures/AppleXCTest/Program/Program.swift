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
        var options = XCTestRunner.Options()
        options.bundleFirst = CommandLine.arguments.contains("--bundle-first")
        options.repeatsFailures = CommandLine.arguments.contains("--repeat-failures")
        exit(XCTestRunner.run(classes, options) ? 0 : 1)
    }

    static let scenarios: [String: [XCTestCase.Type]] = [
        "recovers": [Recovers.self],
        "exhausted": [Exhausted.self],
        "fails outside": [FailsOutside.self],
        "flakes, then fails": [FlakesThenFails.self],
        "stops": [Stops.self],
        "stops in a task": [StopsInTask.self],
        "cannot stop": [CannotStop.self],
        "fails in a task": [FailsInTask.self],
        "stops on real": [StopsOnReal.self],
        "on a queue": [OnAQueue.self],
        "taps": [Taps.self],
        "taps and stops": [TapsAndStops.self],
        "taps outside": [TapsOutside.self],
        "after a stop": [Stops.self, AfterStop.self],
        "async": [Async.self],
        "throws": [Throws.self],
        "throws outside": [ThrowsOutside.self],
        "unwraps": [Unwraps.self],
        "shares unwrap": [SharesUnwrap.self],
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
        "expects a failure in a section": [ExpectsFailureInSection.self],
        "flakes and expects a failure": [FlakesAndExpects.self],
    ]
}

struct Boom: Error {}
