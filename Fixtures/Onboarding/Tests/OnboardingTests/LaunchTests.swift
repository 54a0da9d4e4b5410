import AutomationTesting
import OnboardingKit
import Testing

/// The app as a user runs it, in a process of its own, tested with Swift Testing, whose tests run in parallel.
@Suite struct LaunchTests {
    @Test func skipsOnboarding() async throws {
        let options = OnboardingOptions { $0.skipOnboarding = true }
        let app = try await launchApp("onboarding", options: options, until: .ready)
        try await ListRobot(app: app).isShown().refresh().hasRows(3)
    }

    @Test func markOnboardingAsSeen() async throws {
        let first = try await launchApp("onboarding", until: .ready)
        try await OnboardingRobot(app: first).finish()
        first.terminate()

        let second = try await launchApp("onboarding", continuing: first, until: .ready)
        try await ListRobot(app: second).isShown()
    }

    @Test func argumentsThatCannotBeReadEndTheApp() async throws {
        let app = try await launchApp("onboarding", arguments: ["-skipOnbording"], until: nil)
        #expect(await app.waitForExit() == .exited(code: 64))
        #expect(app.errorOutput.hasSuffix("-skipOnbording is unknown; -skipOnboarding is declared\n"))
    }

    @Test func buildsDoNotShareSettings() async throws {
        let development = OnboardingOptions { $0.build = .development }
        let first = try await launchApp("onboarding", options: development, until: .ready)
        try await OnboardingRobot(app: first).finish()

        let other = OnboardingOptions { $0.build = .internal }
        let second = try await launchApp("onboarding", options: other, continuing: first, until: .ready)
        try await OnboardingRobot(app: second).finish()
    }

    @Test func usesTheStagingServer() async throws {
        let options = OnboardingOptions {
            $0.skipOnboarding = true
            $0.apiEndpoint = URL(string: "https://staging.example.com")
        }
        let app = try await launchApp("onboarding", options: options, until: .ready)
        try await ListRobot(app: app).refresh()
        app.send("list")
        app.send("quit")
        #expect(await app.waitForExit() == .exited(code: 0))
        #expect(app.output.contains("staging.example.com 3"))
    }

    @Test(arguments: 0..<20) func manyAtTheSameTime(number: Int) async throws {
        let options = OnboardingOptions { $0.skipOnboarding = number.isMultiple(of: 2) }
        let app = try await launchApp("onboarding", options: options, until: .ready)
        let list = number.isMultiple(of: 2) ? ListRobot(app: app) : try await OnboardingRobot(app: app).finish()
        try await list.isShown().refresh().hasRows(3)
    }
}

/// The app's code in the test's own process, tested with Swift Testing.
@MainActor @Suite struct ModelTests {
    private let settings = SettingStore(InMemorySettings())

    @Test func skipOnboardingMarksItSeen() throws {
        try AutomationContext<OnboardingOptions>(arguments: ["-skipOnboarding"]).configure(settings)
        #expect(try !AppViewModel(settings: settings, server: SlowServer(at: nil)).showsOnboarding)
    }

    @Test func aFirstRunShowsOnboarding() throws {
        try AutomationContext<OnboardingOptions>(arguments: []).configure(settings)
        let model = try AppViewModel(settings: settings, server: SlowServer(at: nil))
        #expect(model.showsOnboarding)
        try model.markOnboardingSeen()
        #expect(try !settings.showsOnboarding())
    }

    @Test func markOnboardingAsUnseen() throws {
        try settings.markOnboardingSeen()
        try settings.markOnboardingUnseen()
        #expect(try AppViewModel(settings: settings, server: SlowServer(at: nil)).showsOnboarding)
    }

    @Test func refreshing() async throws {
        let model = try AppViewModel(settings: settings, server: SlowServer(at: nil))
        await waitForElement(.spinner, toBe: .gone) { model.refresh() }
        await waitForElement(.row(2), toBe: .tappable) { model.refresh() }
        await waitForCheckpoint(.dataRefreshed) { model.refresh() }
        #expect(model.rows.first == "live.example.com 1")
    }
}
