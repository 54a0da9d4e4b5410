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

    private static func settings(_ context: AutomationContext<OnboardingOptions>) throws -> SettingStore {
        SettingStore(try PersistedSettings(build: context.build.rawValue, context: context))
    }
}
