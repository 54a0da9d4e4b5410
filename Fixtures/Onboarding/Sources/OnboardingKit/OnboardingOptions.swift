import AppAutomation
import Foundation

/// The launch options of the app. No other place, in the app or its tests, spells their names.
public struct OnboardingOptions: LaunchOptions {
    /// Skips what a user sees on the first run.
    @LaunchOption public var skipOnboarding = false
    /// The server that the rows come from; `nil` for the live one.
    @LaunchOption public var apiEndpoint: URL? = nil
    /// The build of the app; each has its own settings.
    @LaunchOption public var build = Build.appStore

    /// The builds of the app.
    public enum Build: String, CaseIterable, Codable, Sendable {
        /// The builds.
        case development, `internal`, appStore
    }

    /// The options of a user who starts the app.
    public init() {}
}
