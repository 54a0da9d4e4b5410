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
    @LaunchOption var contrast: Theme? = nil
    @LaunchOption var priority: Level? = nil
    @LaunchOption var version = Version(major: 1)

    enum Theme: String, CaseIterable {
        case light, dark
    }

    enum Level: Int, Codable {
        case low = 1
        case high = 9
    }

    /// A type with a form of its own, though it could be written as JSON as well.
    struct Version: LaunchValue, LosslessStringConvertible, Codable, Equatable {
        static let allowedLaunchText = "a version, such as v2"
        var major: Int
        var description: String { "v\(major)" }

        init(major: Int) { self.major = major }

        init?(_ description: String) {
            guard description.hasPrefix("v"), let major = Int(description.dropFirst()) else { return nil }
            self.major = major
        }
    }

    struct Account: Codable, Equatable, Sendable {
        var name: String
        var age: Int
    }
}

/// The problems that reading the arguments gives, as they would be shown.
func problems<Options: LaunchOptions>(_ type: Options.Type, in arguments: [String]) -> [String] {
    problems { try AutomationContext<Options>(arguments: arguments) }
}

/// The lines of the error that `body` throws.
func problems<Result>(_ body: () throws -> Result) -> [String] {
    do {
        _ = try body()
        return []
    } catch {
        return "\(error)".split(separator: "\n").map(String.init)
    }
}
