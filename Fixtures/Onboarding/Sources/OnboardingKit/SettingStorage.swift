import AppAutomation

/// The settings of the app. What changes them is a method that says so.
public protocol SettingStorage: Sendable {
    /// Returns true if the first screen is the onboarding.
    func showsOnboarding() throws -> Bool
    /// The user has seen the onboarding, or a test wants it so.
    func markOnboardingSeen() throws
    /// The onboarding is shown again.
    func markOnboardingUnseen() throws
}

/// The settings in a store: in memory in a unit test, persisted in the app.
public struct SettingStore: SettingStorage {
    private let store: any SettingsStore

    /// The settings in this store.
    public init(_ store: any SettingsStore) {
        self.store = store
    }

    /// Returns true if the onboarding has not been seen yet.
    public func showsOnboarding() throws -> Bool {
        try !store.value(of: .onboardingSeen)
    }

    /// Remembers that the onboarding has been seen.
    public func markOnboardingSeen() throws {
        try store.store(true, as: .onboardingSeen)
    }

    /// Forgets that the onboarding has been seen.
    public func markOnboardingUnseen() throws {
        try store.forget(.onboardingSeen)
    }
}

extension SettingKey where Value == Bool {
    fileprivate static let onboardingSeen = SettingKey("hasOnboardingBeenShown", default: false)
}

extension AutomationContext<OnboardingOptions> {
    /// Puts the settings into the state that the launch options ask for, before the app runs.
    public func configure(_ settings: some SettingStorage) throws {
        if options.skipOnboarding { try settings.markOnboardingSeen() }
    }
}
