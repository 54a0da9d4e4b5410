import Foundation

/// A type whose values are written as they are, without JSON around them.
protocol PlainLaunchValue {
    static var allowed: String { get }
    init?(launchText: String)
    var launchText: String { get }
}

extension PlainLaunchValue where Self: LosslessStringConvertible {
    init?(launchText: String) { self.init(launchText) }

    var launchText: String { description }
}

extension Bool: PlainLaunchValue {
    static let allowed = "true, false, YES or NO"

    init?(launchText: String) {
        switch launchText.lowercased() {
        case "true", "yes": self = true
        case "false", "no": self = false
        default: return nil
        }
    }
}

extension Int: PlainLaunchValue {
    static let allowed = "a whole number"
}

extension Double: PlainLaunchValue {
    static let allowed = "a number"
}

extension String: PlainLaunchValue {
    static let allowed = "any text"
}

extension URL: PlainLaunchValue {
    static let allowed = "a URL with a scheme, such as https://example.com"

    /// Foundation takes nearly any text for a relative URL; an endpoint without a scheme is a mistake.
    init?(launchText: String) {
        self.init(string: launchText)
        guard scheme != nil else { return nil }
    }

    var launchText: String { absoluteString }
}
