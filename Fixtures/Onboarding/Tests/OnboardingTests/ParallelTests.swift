import AutomationTesting
import OnboardingKit

/// Many apps at the same time, each with its own state.
final class ParallelTests: XCTestCase {
    func testTwentyInstancesInParallel() async throws {
        var apps: [AppProcess] = []
        for number in 0..<20 {
            let options = OnboardingOptions { $0.skipOnboarding = number.isMultiple(of: 2) }
            apps.append(try await launchApp("onboarding", options: options, until: .ready))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, app) in apps.enumerated() {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        await app.waitForElement(.list, toBe: .visible)
                    } else {
                        await app.waitForElement(.onboarding, toBe: .visible)
                        app.send("done")
                        await app.waitForElement(.onboarding, toBe: .gone)
                    }
                    await app.waitForCheckpoint(.dataRefreshed) { app.send("refresh") }
                    await app.waitForElement(.row(2), toBe: .tappable)
                }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(Set(apps.map(\.stateDirectory)).count, 20)
        XCTAssertEqual(apps.compactMap(\.exitStatus), [])
    }
}
