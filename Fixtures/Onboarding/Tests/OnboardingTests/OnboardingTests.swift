import AutomationTesting
import OnboardingKit

/// The app as a user runs it, in a process of its own, tested with XCTest.
final class OnboardingTests: XCTestCase {
    func testSkipsOnboarding() async throws {
        let options = OnboardingOptions { $0.skipOnboarding = true }
        let app = try await launchApp("onboarding", options: options, until: .ready)
        try await ListRobot(app: app).isShown().refresh().hasRows(3)
    }

    func testMarkOnboardingAsSeen() async throws {
        let first = try await launchApp("onboarding", until: .ready)
        try await OnboardingRobot(app: first).finish()
        first.terminate()

        let second = try await launchApp("onboarding", continuing: first, until: .ready)
        try await ListRobot(app: second).isShown()
    }

    func testBuildsDoNotShareSettings() async throws {
        let first = try await launchApp("onboarding", until: .ready)
        try await OnboardingRobot(app: first).finish()
        let other = OnboardingOptions { $0.build = .internal }
        let second = try await launchApp("onboarding", options: other, continuing: first, until: .ready)
        try await OnboardingRobot(app: second).finish()
    }

    /// A test that is not async blocks its thread while it waits, which does no harm in XCTest.
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

/// The app's code in the test's own process, with settings that nobody else sees, tested with XCTest.
///
/// The tests are async because XCTest on Linux cannot run a test of the main actor that throws and is not.
@MainActor
final class ViewModelTests: XCTestCase {
    private let settings = SettingStore(InMemorySettings())

    func testAFirstRunShowsOnboarding() async throws {
        try AutomationContext<OnboardingOptions>(arguments: []).configure(settings)
        let model = try AppViewModel(settings: settings, server: SlowServer(at: nil))
        XCTAssertTrue(model.showsOnboarding)
        try model.markOnboardingSeen()
        XCTAssertFalse(try settings.showsOnboarding())
    }

    func testMarkOnboardingAsUnseen() async throws {
        try settings.markOnboardingSeen()
        try settings.markOnboardingUnseen()
        XCTAssertTrue(try AppViewModel(settings: settings, server: SlowServer(at: nil)).showsOnboarding)
    }
}
