import RetryReport
import Retryable
import Testing

@Suite("What a report says of steps")
struct StepReportTests {
    @Test(
        "the examples of TargetedAutoRetry work as they are printed, in both kinds of class, and the report has their steps",
        arguments: [(RetryableExamples.self, "RetryableExamples"), (PlainExamples.self, "PlainExamples")]
            as [(any Program.Type, String)]
    )
    func examples(program: any Program.Type, testClass: String) async throws {
        let run = try await run(program)
        #expect(
            run.printed == [
                // testBasics
                "launch app", "launch app",
                "sign in as ada", "launch", "sign in as ada",
                // testMyAwesomeTest
                "launch", "launch", "sign in", "launch", "sign in", "go to page", "go home", "go to page",
                // testNested
                "launch", "launch", "sign in", "launch", "sign in", "go to page", "go home", "go to page",
            ]
        )
        #expect(run.cases.count == 3)
        #expect(run.cases.allSatisfy { $0.hasPrefix(testClass) && $0.hasSuffix("passed") })
        #expect(run.report.steps.count == 8)
        #expect(run.report.run?.finishedAt != nil)
        let step = try #require(run.report.steps.first)
        #expect((step.test, step.module) == ("-[\(testClass) testBasics]", "WholeRunProgram"))
        #expect((step.action, step.retries, step.succeeded) == ("Launch", 1, true))
        #expect(step.file?.hasSuffix("WholeRuns/StepExamples.swift") == true)
        #expect(step.file?.hasPrefix("/") == false)
        #expect((step.line ?? 0) > 0)
        #expect(step.duration > 0)
    }

    @Test(
        "in a run without a RetryableTestCase, the report names a step of a page object after the page object",
        arguments: [[], ["swift-testing"]]
    )
    func pageObjectOfPlainCase(arguments: [String]) async throws {
        let run = try await run(PlainStepsOfAPage.self, with: arguments, expecting: .failure)
        #expect(run.errors == ["PlainStepsOfAPage.test : failed - autoRetry: Pay did not succeed in 1 try"])
        #expect(run.report.steps.map(\.test) == ["AccountPage", "AccountPage"])
    }

    private static let processEnds =
        "Retryable: autoRetry: Pay did not succeed in 1 try; the process ends, because XCTest runs no test that could fail"

    @Test(
        "a step that fails in a test of Swift Testing ends the process, because XCTest can fail nothing there",
        arguments: ["pays", "paysInATestCase"],
        [[], ["--testing-library", "swift-testing"]]
    )
    func pageObjectInSwiftTesting(test: String, library: [String]) async throws {
        let run = try await SwiftTestingRun.of("PageTests/\(test)", library)
        #expect(run.ending == .failure)
        #expect(run.ourLines == [Self.processEnds])
        #expect(run.report.run?.finishedAt == nil)
        let signedIn = try await SwiftTestingRun.of("PageTests/signsIn", library)
        #expect(signedIn.ending == .success)
        #expect(signedIn.report.run?.finishedAt != nil)
    }

    @Test("a process that a plain test of XCTest ends after a step has not ended its run")
    func exitAfterStep() async throws {
        let run = try await run(ExitsAfterStep.self)
        #expect(run.report.steps.count == 1)
        #expect(run.report.run?.finishedAt == nil)
    }

    @Test(
        "a step that fails while no test of XCTest can fail ends the process",
        arguments: [StepsAfterTests.self, StepsInClassSetUp.self] as [any Program.Type]
    )
    func pageObjectOutsideOfTests(program: any Program.Type) async throws {
        let run = try await run(program, expecting: .failure)
        #expect(run.errorOutput.contains(Self.processEnds))
    }

    @Test(
        "in a run without a RetryableTestCase, a bad RETRYABLE_REPORT or RETRYABLE_MODE is only a warning",
        arguments: [
            (["RETRYABLE_REPORT": "/dev/null/no/such/folder"], ""),
            (["RETRYABLE_MODE": "often"], "RETRYABLE_MODE is \"often\""),
        ]
    )
    func warning(environment: [String: String], words: String) async throws {
        let run = try await run(PlainExamples.self, environment: environment)
        #expect(run.cases.count == 3)
        #expect(run.errorOutput.count { $0.hasPrefix("Retryable: \(words)") } == 1)
    }
}

// MARK: - Programs

// The examples of TargetedAutoRetry's page, as they are printed there, in both kinds of class that they work in.

/// The examples in a class that knows nothing of retries but steps.
class MyAwesomeBaseTestClass: XCTestCase, TargetedAutoRetry {}

final class PlainExamples: MyAwesomeBaseTestClass, Awesome {
    let app = SlowApp()
}

/// The examples in a class that can retry steps and sections.
final class RetryableExamples: RetryableTestCase, Awesome {
    let app = SlowApp()
}

extension Awesome {
    static var entries: [XCTestCaseEntry] {
        [testCase([("testBasics", testBasics), ("testMyAwesomeTest", testMyAwesomeTest), ("testNested", testNested)])]
    }

    func testBasics() {
        autoRetry(
            mainAction: { XCUIApplication().launch() },
            successCondition: { XCUIApplication().buttons["Foo"].exists },
            actionDescription: "Launch"
        )
        autoRetry(
            mainAction: { signIn(username, password) },
            successCondition: isSignedIn,
            resetSteps: launch,
            actionDescription: "Sign In"
        )
    }

    func testMyAwesomeTest() {
        autoRetry(
            mainAction: launch,
            successCondition: isLaunched,
            actionDescription: "Launch"
        )
        autoRetry(
            mainAction: signIn,
            successCondition: isSignedIn,
            resetSteps: launch,
            actionDescription: "Sign In"
        )
        autoRetry(
            mainAction: navToPage,
            successCondition: pageLoaded,
            resetSteps: navToHomePage,
            actionDescription: "Navigate To Page"
        )
    }

    func testNested() {
        launchSignInNavToPage()
    }

    func launchWithRetries(failTestOnFailure: Bool = true) {
        autoRetry(
            mainAction: launch,
            successCondition: isLaunched,
            actionDescription: "Launch",
            failTestOnFailure: failTestOnFailure
        )
    }

    func signInWithRetries(failTestOnFailure: Bool = true) {
        autoRetry(
            mainAction: signIn,
            successCondition: isSignedIn,
            resetSteps: launch,
            actionDescription: "Sign In",
            failTestOnFailure: failTestOnFailure
        )
    }

    func navToPageWithRetries(failTestOnFailure: Bool = true) {
        autoRetry(
            mainAction: navToPage,
            successCondition: pageLoaded,
            resetSteps: navToHomePage,
            actionDescription: "Navigate To Page",
            failTestOnFailure: failTestOnFailure
        )
    }

    func launchSignInNavToPage() {
        autoRetry(
            mainAction: {
                launchWithRetries(failTestOnFailure: false)
                signInWithRetries(failTestOnFailure: false)
                navToPageWithRetries(failTestOnFailure: false)
            },
            successCondition: pageLoaded,
            actionDescription: "Launch, Sign In, and Navigate To Page"
        )
    }
}

extension TargetedAutoRetry {
    func pay() {
        autoRetry(mainAction: {}, successCondition: { false }, retryAttempts: 0, actionDescription: "Pay")
    }
}

/// A page object that is no class.
struct AccountPage: TargetedAutoRetry {
    let app = SlowApp()

    func signIn() {
        let retries = autoRetry(
            mainAction: { app.attempt("sign in") },
            successCondition: { app.hasTwice("sign in") },
            resetSteps: { print("sign out") },
            actionDescription: "Sign In"
        )
        print("retries: \(retries)")
    }
}

/// Pays when XCTest has run its tests, as a test of Swift Testing in the same process would.
enum StepsAfterTests: Program {
    static var entries: [XCTestCaseEntry] {
        let tests = Passes.entries + [(PlainStepsOfAPage.self, [("test", { _ in AccountPage().signIn() })])]
        _ = XCTMain(tests, arguments: Array(CommandLine.arguments.prefix(1)), observers: nil) as CInt
        AccountPage().pay()
        return []
    }
}

/// Pays before its test runs.
final class StepsInClassSetUp: XCTestCase, OneTest {
    override class func setUp() { AccountPage().pay() }

    func test() {}
}

final class ExitsAfterStep: XCTestCase, OneTest {
    func test() {
        AccountPage().signIn()
        exit(0)
    }
}

final class PlainStepsOfAPage: XCTestCase, OneTest {
    func test() {
        let page = AccountPage()
        page.signIn()
        page.pay()
    }
}

#if PROGRAM
    @Suite struct PageTests {
        @Test func signsIn() { AccountPage().signIn() }
        @Test func pays() { AccountPage().pay() }
        @Test func paysInATestCase() { RetryableExamples(name: "by hand") { _ in }.pay() }
    }
#endif

/// An app that does nothing at the first try.
final class SlowApp {
    private var tries: [String: Int] = [:]

    func attempt(_ action: String) {
        print(action)
        tries[action, default: 0] += 1
    }

    func hasTwice(_ action: String) -> Bool { tries[action, default: 0] > 1 }
}

#if !canImport(ObjectiveC)
    /// As much of XCUIApplication as the examples need. Its button appears at the second launch.
    struct XCUIApplication {
        nonisolated(unsafe) private static var launches = 0  // tests run one after the other

        struct Buttons {
            subscript(name: String) -> Element { Element(exists: name == "Foo" && launches > 1) }
        }

        struct Element {
            var exists: Bool
        }

        var buttons: Buttons { Buttons() }

        func launch() {
            print("launch app")
            XCUIApplication.launches += 1
        }
    }
#endif

/// The actions and conditions that the examples assume.
protocol Awesome: TargetedAutoRetry, XCTestCase, Program {
    var app: SlowApp { get }
}

extension Awesome {
    var username: String { "ada" }
    var password: String { "secret" }
    func launch() { app.attempt("launch") }
    func isLaunched() -> Bool { app.hasTwice("launch") }
    func signIn() { app.attempt("sign in") }
    func signIn(_ username: String, _ password: String) { app.attempt("sign in as \(username)") }
    func isSignedIn() -> Bool { app.hasTwice("sign in") || app.hasTwice("sign in as ada") }
    func navToPage() { app.attempt("go to page") }
    func navToHomePage() { app.attempt("go home") }
    func pageLoaded() -> Bool { app.hasTwice("go to page") }
}
