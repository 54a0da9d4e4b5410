import Groundwork
import RetryReport

/// What a person reads about one flake.
package struct Wording {
    private let flake: Flake
    private let failureCount: Int
    private let retryCount: Int
    private let relative: (String) -> String

    /// - Parameters:
    ///   - flake: The flake.
    ///   - failureCount: How many failures the attempt has, suppressed ones included.
    ///   - retryCount: How many attempts came before the one that flaked.
    ///   - relative: How the path of a file is shown.
    package init(
        _ flake: Flake,
        failureCount: Int,
        retryCount: Int,
        relative: @escaping (String) -> String = ProcessRun.shared.relative
    ) {
        self.flake = flake
        self.failureCount = failureCount
        self.retryCount = retryCount
        self.relative = relative
    }

    /// What failed, where, why, and which retry follows; on one line.
    package var announcement: String {
        let retry = "retry \(retryCount + 1) of \(flake.section.mark.maxRetryCount) follows"
        return "\(whatFlaked); \(retry)".escapingControlCharacters
    }

    /// The same for an attempt that is not run again, because something else in it failed for real.
    package var notRetried: String {
        "\(whatFlaked); not retried, because the test also failed outside the section".escapingControlCharacters
    }

    private var whatFlaked: String {
        let place = "\(relative(flake.place.file)):\(flake.place.line)"
        let more = failureCount > 1 ? " (and \(failureCount - 1) more)" : ""
        let mark = flake.section.mark
        return "flaked at \(place): \(message)\(more); reason: \(mark.reason) (\(mark.kind))"
    }

    /// The failure's message, without the dash that XCTest puts before words of yours where there are none.
    private var message: String {
        let message = flake.failure.message
        return message.hasSuffix(" - ") ? String(message.dropLast(3)) : message
    }

    /// What is shown beside a failure that `section` suppresses; on one line.
    package static func comment(on section: Section, retryCount: Int) -> String {
        let retry = "retry \(retryCount + 1) of \(section.mark.maxRetryCount) is due"
        return "flaked, \(retry); reason: \(section.mark.reason) (\(section.mark.kind))".escapingControlCharacters
    }
}
