// A UI test that waits for what the app posts, as the documentation shows it.
import AutomationTesting

/// As much of XCUITest's class as the example needs.
@MainActor private final class XCUIApplication {
    struct Element { func tap() {} }
    var launchArguments: [String] = []
    var launchEnvironment: [String: String] = [:]
    let buttons = ["Refresh": Element()]
    func launch() {}
}

private struct ShopOptions: LaunchOptions {
    @LaunchOption var skipOnboarding = false
}

extension Checkpoint {
    fileprivate static let ready = Checkpoint("ready"), refreshed = Checkpoint("refreshed")
}

private struct ListRobot: AppRobot {
    let app: AppConnection
}

final class ShopUITests: XCTestCase {
    @MainActor func testRefreshes() throws {
        let connection = try AppConnection()
        let app = XCUIApplication()
        app.launchArguments += try ShopOptions { $0.skipOnboarding = true }.arguments()
        app.launchEnvironment.merge(connection.environment) { $1 }
        connection.waitForCheckpoint(.ready) { app.launch() }
        connection.waitForCheckpoint(.refreshed) { app.buttons["Refresh"]?.tap() }
        connection.waitForElement(ElementIdentifier("list"), toBe: .visible)
        connection.send("quit")
    }

    @MainActor func testAwaits() async throws {
        let connection = try AppConnection()
        await connection.waitForCheckpoint(.ready) { XCUIApplication().launch() }
        try await ListRobot(app: connection).expect(ElementIdentifier("list"), toBe: .visible)
    }
}
