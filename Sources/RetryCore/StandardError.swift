import Foundation

/// Writes one line of ours on standard error, control characters escaped.
package func say(_ line: String) {
    sayPlainly("Retryable: \(line)")
}

/// Writes one line on standard error, control characters escaped.
package func sayPlainly(_ line: String) {
    // Where standard error takes nothing, on a full disk or with nobody at its other end, there is nobody left to tell, and
    // no test is to be lost over it.
    withoutBrokenPipeSignal {
        try? FileHandle.standardError.write(contentsOf: Data("\(line.escapingControlCharacters)\n".utf8))
    }
}

/// Runs `body` so that a pipe which it writes to and nobody reads any more does not end the process.
private func withoutBrokenPipeSignal(_ body: () -> Void) {
    var pipe = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    body()
    sigpending(&pending)
    if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
        var signal: Int32 = 0
        sigwait(&pipe, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
}

extension String {
    /// This text on one line, with nothing in it that a terminal or a reader of logs takes for its own.
    package var escapingControlCharacters: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            case let scalar where scalar.isControl: escaped += "\\u{\(String(scalar.value, radix: 16))}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Unicode.Scalar {
    /// Control characters, ends of lines and paragraphs, and what turns the direction of text.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
