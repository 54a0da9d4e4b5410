import AppAutomation
import Foundation

/// The state that the app shows. Changes happen on the main queue.
@MainActor
public final class AppViewModel {
    /// True while the onboarding is on the screen, and not the list.
    public private(set) var showsOnboarding: Bool
    /// The rows of the list.
    public private(set) var rows: [String] = []
    private let settings: any SettingStorage
    private let server: any Server

    /// An app with these settings and this server.
    public init(settings: some SettingStorage, server: some Server) throws {
        self.settings = settings
        self.server = server
        showsOnboarding = try settings.showsOnboarding()
    }

    /// The first screen comes up.
    public func start() {
        announceElement(showsOnboarding ? .onboarding : .list, is: .visible)
        postCheckpoint(.ready)
    }

    /// The user has come to the end of the onboarding.
    public func markOnboardingSeen() throws {
        try settings.markOnboardingSeen()
        showsOnboarding = false
        announceElement(.onboarding, is: .gone)
        announceElement(.list, is: .visible)
    }

    /// The user pulls the list down; the rows come later.
    public func refresh() {
        announceElement(.spinner, is: .visible)
        server.fetchRows { [weak self] rows in
            DispatchQueue.main.async { self?.show(rows) }
        }
    }

    private func show(_ rows: [String]) {
        self.rows = rows
        announceElement(.spinner, is: .gone)
        for number in rows.indices { announceElement(.row(number), is: .tappable) }
        postCheckpoint(.dataRefreshed)
    }
}
