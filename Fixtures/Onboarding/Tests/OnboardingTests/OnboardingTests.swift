import AutomationTesting
import OnboardingKit

/// The app as a user runs it, in a process of its own.
final class OnboardingTests: XCTestCase {
    private func launch(
        stateDirectory: URL? = nil,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ change: (inout OnboardingOptions) -> Void = { _ in }
    ) throws -> AppProcess {
        try launchApp(
            "onboarding",
            options: OnboardingOptions(change),
            stateDirectory: stateDirectory,
            until: .ready,
            file: file,
            line: line
        )
    }

    func testSkipsOnboarding() throws {
        let app = try launch { $0.skipOnboarding = true }
        try ListRobot(app: app).isShown().refresh().hasRows(3)
    }

    func testFirstRunShowsOnboarding() throws {
        let app = try launch()
        try OnboardingRobot(app: app).finish().refresh().hasRows(3)
    }

    func testMarkOnboardingAsSeen() throws {
        let first = try launch()
        try OnboardingRobot(app: first).finish()
        first.end()

        let second = try launch(stateDirectory: first.stateDirectory)
        try ListRobot(app: second).isShown()
    }

    func testBuildsDoNotShareSettings() throws {
        let first = try launch { $0.build = .internal }
        try OnboardingRobot(app: first).finish()

        let second = try launch(stateDirectory: first.stateDirectory) { $0.build = .development }
        try OnboardingRobot(app: second).finish()
    }

    func testUsesTheStagingServer() throws {
        let app = try launch {
            $0.skipOnboarding = true
            $0.apiEndpoint = URL(string: "https://staging.example.com")
        }
        try ListRobot(app: app).refresh()
        app.send("list")
        app.send("quit")
        XCTAssertEqual(app.waitForExit(), .exited(code: 0))
        XCTAssertTrue(app.output.contains("staging.example.com 3"), app.output)
    }

    func testArgumentsThatCannotBeReadEndTheApp() throws {
        let app = try launchApp("onboarding", arguments: ["-skipOnbording", "-build", "beta"], until: nil)
        XCTAssertEqual(app.waitForExit(), .exited(code: 64))
        XCTAssertEqual(
            app.errorOutput,
            """
            onboarding: launch option -skipOnbording is unknown; -skipOnboarding is declared
            onboarding: launch option -build cannot be "beta"; allowed is one of development, internal, appStore

            """
        )
    }
}
