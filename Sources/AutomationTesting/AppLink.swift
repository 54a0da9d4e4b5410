import AppAutomation
import Foundation
import Groundwork

/// The test's end of the connection to an app.
///
/// A thread reads all the time, so that the connection is never full; waits read as well, so that they miss nothing that was
/// posted before they begin or end. The thread holds only the link, because releasing the app's public object ends the app.
final class AppLink: Sendable {
    private struct State {
        let listener: CInt
        /// The connection, also when it has ended.
        var connection: CInt?
        var hasEnded = false
        var lines = EventLines()
        var status: AppConnection.ExitStatus?
        var hasEndedWithTest = false
        /// A byte sent to it wakes the thread, and closing it stops the thread.
        var waker: CInt?
    }

    let hub = EventHub()
    /// The descriptor on which the app takes lines; `nil` before the app connects and after the end. It has a lock of its
    /// own, because sending may block.
    let input: Locked<CInt?>
    /// The output and the error output of an app that the test launched.
    let outputs: [KeptOutput]
    private let state: Locked<State>
    let stopped = DispatchGroup()

    /// Takes over the descriptors, and closes them when they are no longer needed.
    ///
    /// An app that the test launched has an input and outputs; another takes lines on its connection.
    init(listener: CInt, input: CInt? = nil, outputs: [KeptOutput] = []) throws {
        let (wakened, waker) = try UnixSocket.pair()
        state = Locked(State(listener: listener, waker: waker))
        self.input = Locked(input)
        self.outputs = outputs
        stopped.enter()
        Thread.detachNewThread { [self] in
            serve(wakened)
            stopped.leave()
        }
    }

    var status: AppConnection.ExitStatus? { state.withLock { $0.status } }

    /// Applies all that the app has posted by now.
    ///
    /// Read and applied under one lock: a wait that begins must not overtake what another thread has read.
    func receive() {
        state.withLock { state in
            if state.connection == nil, !state.hasEnded {
                guard let connection = UnixSocket.accept(on: state.listener) else { return }
                state.connection = connection
                if outputs.isEmpty { input.withLock { $0 = fcntl(connection, F_DUPFD_CLOEXEC, 0) } }
                if let waker = state.waker { _ = UnixSocket.send([0], to: waker, patience: 0) }
            }
            while let connection = state.connection, !state.hasEnded {
                guard let bytes = UnixSocket.read(connection) else { return state.hasEnded = true }
                if bytes.isEmpty { return }
                for event in state.lines.append(bytes) { hub.receive(event) }
            }
        }
    }

    /// The thread's work. It alone closes what it waits on.
    private func serve(_ wakened: CInt) {
        var isStopped = false
        while !isStopped {
            receive()
            let source = state.withLock { $0.hasEnded ? nil : $0.connection ?? $0.listener }
            let ready = UnixSocket.ready([wakened, source].compactMap(\.self))
            isStopped = ready.contains(wakened) && UnixSocket.read(wakened) == nil
        }
        receive()
        state.withLock { state in
            close(state.listener)
            if let connection = state.connection { close(connection) }
            state.hasEnded = true
        }
        close(wakened)
        closeInput()
        hub.receive(AutomationEvent(.end(status?.description ?? "the connection was closed")))
    }

    /// Stops the thread, once the app has ended or nobody waits for it any more.
    func stop(_ status: AppConnection.ExitStatus? = nil) {
        state.withLock { state in
            state.status = state.status ?? status
            if let waker = state.waker.take() { close(waker) }
        }
    }

    /// Notes that the app was ended with its test, unless it ended by itself right before.
    func endTest() { state.withLock { $0.hasEndedWithTest = [nil, .killed(signal: SIGKILL)].contains($0.status) } }

    var hasEndedWithTest: Bool { state.withLock { $0.hasEndedWithTest } }

    func closeInput() {
        input.withLock { if let input = $0.take() { close(input) } }
    }

    /// The state of the app, for the message of a failed wait; `nil` if there is nothing to add.
    var remark: String? {
        let (isConnected, status) = state.withLock { ($0.connection != nil, $0.status) }
        var lines = zip(outputs, ["output", "error output"]).map { $0.lastLines(named: $1) }
        if hasEndedWithTest { lines.insert("the app ended with the test that launched it", at: 0) }
        // A launcher that refuses its arguments exits with code 64 before it connects.
        if !isConnected, status != .exited(code: 64) {
            let how = "it must read an AutomationContext and, without an AppLauncher, call connectToTest()"
            let build = "in a build with checkpoints (for debugging, or with -Xswiftc -DAPP_AUTOMATION)"
            lines.insert("the app never connected to the test: \(how), \(build)", at: 0)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}

/// An app's output on one stream, in a file, so that the app can write without a reader.
///
/// It can be read as long as this object lives, even if the file is removed or closed.
final class KeptOutput: Sendable {
    /// Open for reading, and for writing at the end of the file.
    let descriptor: CInt
    private let limit: Int
    /// The end of the output and the size of all, once the file is closed.
    private let closed = Locked<(end: [UInt8], size: Int)?>(nil)

    init(at path: String, limit: Int) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AutomationError(.launch, "\(path) cannot be made: \(SystemError.last)") }
        self.limit = max(limit, 0)
    }

    deinit { if closed.withLock({ $0 == nil }) { close(descriptor) } }

    /// Closes the file: XCTest keeps each instance of a test, and with it perhaps the app, until the run ends.
    func finish() {
        closed.withLock { closed in
            guard closed == nil else { return }
            closed = read(limit)
            close(descriptor)
        }
    }

    /// The end of the output, after a line that says how much came before.
    var text: String {
        let (end, before) = last(limit)
        return (before > 0 ? "[\(before) bytes came before]\n" : "") + end
    }

    /// The last lines, for a failure's message. They hold the reason of a crash and the short backtrace after it.
    func lastLines(named name: String) -> String {
        let end = last(min(limit, 4000)).text.trimmingCharacters(in: .newlines)
        // By scalars, because a carriage return and a line feed are one character.
        let lines = end.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).suffix(30)
        let last = lines.map { String($0) }.joined(separator: "\n")
        return last.isEmpty ? "no \(name) of the app" : "the app's last \(name):\n\(last)"
    }

    private func last(_ count: Int) -> (text: String, before: Int) {
        let (bytes, size) = closed.withLock { $0 ?? read(count) }
        let end = bytes.suffix(count)
        return (String(decoding: end, as: UTF8.self), size - end.count)
    }

    private func read(_ count: Int) -> (end: [UInt8], size: Int) {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: min(count, max(size, 0)))
        let read = pread(descriptor, &bytes, bytes.count, off_t(size - bytes.count))
        return (Array(bytes.prefix(max(read, 0))), size)
    }
}
