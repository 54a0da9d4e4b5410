import AutomationTesting
import OnboardingKit
import Testing

/// The app as a user runs it, in a process of its own, tested with Swift Testing, whose tests run in parallel.
@Suite struct LaunchTests {
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

    @Test func refreshing() async throws {
        let model = try AppViewModel(settings: settings, server: SlowServer(at: nil))
        await waitForElement(.spinner, toBe: .gone) { model.refresh() }
        await waitForElement(.row(2), toBe: .tappable) { model.refresh() }
        await waitForCheckpoint(.dataRefreshed) { model.refresh() }
        #expect(model.rows.first == "live.example.com 1")
    }
}
