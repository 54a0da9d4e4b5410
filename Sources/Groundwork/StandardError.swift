/// Writes one line on standard error, control characters escaped.
package func sayPlainly(_ line: String) {
    // Where standard error takes nothing, on a full disk or with nobody at its other end, there is nobody left to tell, and
    // no test is to be lost over it.
    withoutBrokenPipeSignal {
        try? Descriptor(number: STDERR_FILENO).writeAll(Array("\(line.escapingControlCharacters)\n".utf8))
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
