/// Writes one line on standard error, control characters escaped.
package func writeToStandardError(_ line: String) {
    // An error is ignored, such as a full disk or a closed pipe: it cannot be reported anywhere, and must not end the tests.
    withoutBrokenPipeSignal {
        try? Descriptor(number: STDERR_FILENO).writeAll(Array("\(line.escapingControlCharacters)\n".utf8))
    }
}

/// Runs `body` so that writing to a pipe that nobody reads any more does not end the process by SIGPIPE.
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
