import AppAutomation
import Foundation
import OnboardingKit

/// The entry point: configures the settings first, then runs the app.
@main
enum Launcher: AppLauncher {
    static func configure(_ context: AutomationContext<OnboardingOptions>) throws {
        try context.configure(settings(context))
    }

    static func run(_ context: AutomationContext<OnboardingOptions>) throws {
        let model = try AppViewModel(settings: settings(context), server: SlowServer(at: context.apiEndpoint))
        Terminal(model).run()
    }

    private static let settingsInMemory = InMemorySettings()

    /// Settings that outlive the app in a test; run by hand, a sample leaves nothing in its user's folders.
    private static func settings(_ context: AutomationContext<OnboardingOptions>) throws -> SettingStore {
        guard context.stateDirectory != nil else { return SettingStore(settingsInMemory) }
        return SettingStore(try PersistedSettings(build: context.build.rawValue, context: context))
    }
}
