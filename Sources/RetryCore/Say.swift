import Groundwork

/// Writes one line of ours on standard error, control characters escaped.
package func say(_ line: String) {
    sayPlainly("Retryable: \(line)")
}
