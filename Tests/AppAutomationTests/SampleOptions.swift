import AppAutomation
import Foundation

/// One option of every type that an option can have.
struct SampleOptions: LaunchOptions {
    @LaunchOption var skipOnboarding = false
    @LaunchOption var animations = true
    @LaunchOption("page-size") var pageSize = 20
    @LaunchOption var speed = 1.5
    @LaunchOption var user = "nobody"
    @LaunchOption var apiEndpoint: URL? = nil
    @LaunchOption var theme = Theme.light
    @LaunchOption var level = Level.low
    @LaunchOption var account = Account(name: "guest", age: 0)
    @LaunchOption var nickname: String? = "nick"

    enum Theme: String, CaseIterable {
        case light, dark
    }

    enum Level: Int, Codable {
        case low = 1
        case high = 9
    }

    struct Account: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }
}

/// The problems that reading the arguments gives, as they would be shown.
func problems<Options: LaunchOptions>(_ type: Options.Type, in arguments: [String]) -> [String] {
    do {
        _ = try AutomationContext<Options>(arguments: arguments)
        return []
    } catch {
        return "\(error)".split(separator: "\n").map(String.init)
    }
}
