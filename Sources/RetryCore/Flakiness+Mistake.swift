import Groundwork
import RetryReport

@_exported import struct RetryReport.Flakiness

/// The namespace of ``Flakiness`` in version 0.6.0.
public enum Reliability {
    /// A mark, by its old name.
    @available(*, deprecated, message: "leave out Reliability")
    public typealias Flakiness = RetryReport.Flakiness
}

extension Flakiness {
    /// The mistake in this mark, for the person who wrote it; `nil` if there is none.
    package var mistake: String? {
        // Checked at every section, so a reason that begins with a printable ASCII character is accepted by its first byte.
        let startsLikeText = (0x21..<0x7F).contains(reason.utf8.first ?? 0)
        if !startsLikeText, reason.allSatisfy(\.isWhitespace) {
            return "flaky: the reason is empty; say why this section flakes"
        }
        if maxRetryCount < 0 {
            return "flaky: maxRetryCount is \(maxRetryCount); allowed is 0 or more"
        }
        if matching?.isEmpty == true {
            return "flaky: matching is empty, which every message contains; say what a failure's message contains"
        }
        if let until, Day(until) == nil {
            return "flaky: until is \"\(until.escapingControlCharacters)\"; allowed is a date such as 2027-01-31"
        }
        return nil
    }
}
