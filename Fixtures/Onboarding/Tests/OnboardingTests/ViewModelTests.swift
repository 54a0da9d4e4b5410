import AutomationTesting
import OnboardingKit

/// The app's code in the test's own process, with settings that nobody else sees.
///
/// The tests are async because XCTest on Linux cannot run a test of the main actor that throws and is not.
@MainActor
final class ViewModelTests: XCTestCase {
    private let settings = SettingStore(InMemorySettings())

    private func context(_ arguments: [String] = []) throws -> AutomationContext<OnboardingOptions> {
        try AutomationContext(arguments: arguments)
    }

    func testAFirstRunShowsOnboarding() async throws {
        try context().configure(settings)
        let model = try AppViewModel(settings: settings, server: SlowServer(at: nil))
        XCTAssertTrue(model.showsOnboarding)
        try model.markOnboardingSeen()
        XCTAssertFalse(try settings.showsOnboarding())
    }

    func testSkipOnboardingMarksItSeen() async throws {
        try context(["-skipOnboarding"]).configure(settings)
        XCTAssertFalse(try AppViewModel(settings: settings, server: SlowServer(at: nil)).showsOnboarding)
    }

    func testRefreshing() async throws {
        let model = try AppViewModel(settings: settings, server: SlowServer(at: nil))
        await waitForCheckpoint(.dataRefreshed) { model.refresh() }
        XCTAssertEqual(model.rows.count, 3)
        await waitForElement(.spinner, toBe: .gone)
        await waitForElement(.row(0), toBe: .visible)
    }
}
