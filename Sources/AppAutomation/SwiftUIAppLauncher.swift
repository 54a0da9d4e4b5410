#if canImport(SwiftUI)
    import SwiftUI

    /// An ``AppLauncher`` for a SwiftUI app, whose `@main` moves from the app to the launcher.
    ///
    /// ```swift
    /// @main enum Launcher: SwiftUIAppLauncher {
    ///     typealias Application = MyApp
    ///
    ///     static func configure(_ context: AutomationContext<OnboardingOptions>) throws { … }
    /// }
    /// ```
    public protocol SwiftUIAppLauncher: AppLauncher {
        /// The app to run.
        associatedtype Application: SwiftUI.App
    }

    extension SwiftUIAppLauncher {
        /// Runs the app.
        public static func run(_ context: AutomationContext<Options>) throws {
            Application.main()
        }
    }

    extension View {
        /// Names a view and announces that it is visible when it appears and gone when it disappears.
        public func automationElement(_ identifier: ElementIdentifier) -> some View {
            accessibilityIdentifier(identifier.rawValue)
                .onAppear { announceElement(identifier, is: .visible) }
                .onDisappear { announceElement(identifier, is: .gone) }
        }
    }
#endif
