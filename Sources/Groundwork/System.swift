// The C library has another name on each system, which files that import Groundwork need not know. Its `stdout` is a variable.
#if canImport(Darwin)
    @_exported @preconcurrency import Darwin
#elseif canImport(Glibc)
    @_exported @preconcurrency import Glibc
#elseif canImport(Musl)
    @_exported @preconcurrency import Musl
#endif

/// The system's error code of a call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    /// The error of this thread's last failed call.
    package static var last: SystemError { SystemError(code: errno) }

    package var description: String { String(cString: strerror(code)) }
}

/// Waits for a lock that processes share, and holds it while `body` runs.
///
/// It is a lock on a file, which the system releases when its holder ends. Threads of one process exclude each other as well.
///
/// - Parameter body: Receives the system's error if the file system has no locks, as some network file systems do; else `nil`.
/// - Throws: ``SystemError`` if the file cannot be opened, and any error of `body`.
package func withFileLock<Result>(
    at path: String,
    _ body: (_ problem: SystemError?) throws -> Result
) throws -> Result {
    // Opened each time, because a lock belongs to the open file: threads that shared one would not exclude each other.
    let file = open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw SystemError.last }
    defer { close(file) }
    while flock(file, LOCK_EX) != 0 {
        guard errno == EINTR else { return try body(.last) }
    }
    // Closing is not enough: a child that was forked meanwhile has the file open as well.
    defer { flock(file, LOCK_UN) }
    return try body(nil)
}

/// The fields of a process in Linux's `/proc`, from its state on; `nil` if there is no such process.
package func processFields(of process: pid_t) -> [Substring]? {
    // `1234 (any name) state parent group session …`: the indices are by three less than the numbers in proc(5).
    FilePath("/proc/\(process)/stat").readText()?.split(separator: ")").last?.split(separator: " ")
}

package func signalSet(_ signals: Int32...) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
}

/// Writes what `print` has left in its buffer. Unlike `fflush(nil)`, it does not wait for a thread that reads standard input.
package func flushOutput() { fflush(stdout) }

/// Writes one line on standard error, control characters escaped.
///
/// An error is ignored, such as a full disk or a closed pipe: it cannot be reported anywhere, and must not end the tests.
package func writeToStandardError(_ line: String) {
    // A write to a pipe without a reader raises SIGPIPE, which is blocked during the write and then discarded.
    var (pipe, before, pending) = (signalSet(SIGPIPE), sigset_t(), sigset_t())
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    try? Descriptor(number: STDERR_FILENO).writeAll(Array("\(line.escapingControlCharacters)\n".utf8))
    sigpending(&pending)
    var signal: Int32 = 0
    if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
}
