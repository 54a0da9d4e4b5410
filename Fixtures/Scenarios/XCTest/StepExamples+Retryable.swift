import Retryable

/// The examples in a class that can retry steps and sections.
final class RetryableExamples: RetryableTestCase, Awesome {
    let app = SlowApp()

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
