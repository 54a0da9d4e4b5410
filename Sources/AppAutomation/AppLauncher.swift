import Foundation
import Groundwork

/// The entry point of an app that tests launch: configure first, then run.
///
/// ```swift
/// @main enum Launcher: AppLauncher {
///     static func configure(_ context: AutomationContext<OnboardingOptions>) throws {
///         if context.skipOnboarding { try Settings.shared.markOnboardingSeen() }
///     }
///
///     static func run(_ context: AutomationContext<OnboardingOptions>) { Terminal().run() }
/// }
/// ```
///
/// For a SwiftUI app, `SwiftUIAppLauncher` has the `run`.
@MainActor
public protocol AppLauncher {
    /// The launch options of the app.
    associatedtype Options: LaunchOptions

    /// Puts the app into the state that the launch options ask for. Nothing of the app has started yet.
    static func configure(_ context: AutomationContext<Options>) throws

    /// Runs the app until it ends.
    static func run(_ context: AutomationContext<Options>) throws
}

extension AppLauncher {
    /// Reads the arguments, connects to the test if there is one, configures, and runs the app.
    ///
    /// Arguments that cannot be read end the process with code 64 and one line on standard error for each problem; any other
    /// error ends it with code 1.
    public static func main() {
        do {
            let context = try AutomationContext<Options>()
            context.connectToTest()
            try configure(context)
            try run(context)
        } catch {
            for line in "\(error)".split(separator: "\n") {
                writeToStandardError("\(ProcessInfo.processInfo.processName): \(line)")
            }
            let kind = (error as? AutomationError)?.kind
            exit(kind == .options || kind == .arguments ? 64 : 1)
        }
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    /// An ``AppLauncher`` for a SwiftUI app, whose `@main` moves from the app to the launcher. It names the app
    /// (`typealias Application = MyApp`) and has a `configure`.
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
