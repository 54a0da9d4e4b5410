import Groundwork

/// Writes one line of Retryable's on standard error, control characters escaped.
package func log(_ line: String) {
    writeToStandardError("Retryable: \(line)")
}
