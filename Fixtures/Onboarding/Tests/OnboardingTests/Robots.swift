import AutomationTesting
import OnboardingKit

/// The screen of a first run.
struct OnboardingRobot: AppRobot {
    let app: AppProcess

    @discardableResult
    func finish(file: StaticString = #filePath, line: UInt = #line) async throws -> ListRobot {
        try await expect(.onboarding, toBe: .visible, file: file, line: line)
        app.send("done", file: file, line: line)
        try await expect(.onboarding, toBe: .gone, file: file, line: line)
        return try await ListRobot(app: app).isShown(file: file, line: line)
    }
}

/// The list.
struct ListRobot: AppRobot {
    let app: AppProcess

    @discardableResult
    func isShown(file: StaticString = #filePath, line: UInt = #line) async throws -> ListRobot {
        try await expect(.list, toBe: .visible, file: file, line: line)
    }

    @discardableResult
    func refresh(file: StaticString = #filePath, line: UInt = #line) async throws -> ListRobot {
        try await perform(awaiting: .dataRefreshed, file: file, line: line) {
            app.send("refresh", file: file, line: line)
        }
        return try await expect(.spinner, toBe: .gone, file: file, line: line)
    }

    @discardableResult
    func hasRows(_ count: Int, file: StaticString = #filePath, line: UInt = #line) async throws -> ListRobot {
        for number in 0..<count {
            try await expect(.row(number), toBe: .tappable, file: file, line: line)
        }
        return self
    }
}
