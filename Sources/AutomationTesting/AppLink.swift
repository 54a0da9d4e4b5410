import AppAutomation
import Foundation
import Groundwork

/// The test's end of all that an app says: the connection and, of an app that the test launched, its output.
///
/// A thread reads, so that nothing is ever full; waits read as well, so that they begin and end with all that there is. The
/// thread holds the link and not the app's public object, which ends the app when the last reference to it goes.
final class AppLink: Sendable {
    private struct State {
        let listener: CInt
        /// The connection, also when it has ended.
        var connection: CInt?
        var hasEnded = false
        var lines = EventLines()
        var streams: [KeptOutput]
        var status: AppConnection.ExitStatus?
        /// A byte sent to it wakes the thread, and closing it stops the thread.
        var waker: CInt?
    }

    let hub = EventHub()
    /// The descriptor on which the app takes lines; `nil` if there is none yet, or no more. It has a lock of its own, because
    /// sending may block.
    let input: Locked<CInt?>
    private let state: Locked<State>
    private let stopped = DispatchGroup()

    /// Takes over the descriptors and closes them when there is no more use for them.
    ///
    /// - Parameters:
    ///   - listener: The socket that the app connects to.
    ///   - input: The descriptor on which an app takes lines that the test launched; another takes them on its connection.
    ///   - streams: The output and the error output of an app that the test launched.
    init(listener: CInt, input: CInt? = nil, streams: [KeptOutput] = []) throws {
        let (wakened, waker) = try UnixSocket.pair()
        state = Locked(State(listener: listener, streams: streams, waker: waker))
        self.input = Locked(input)
        stopped.enter()
        Thread.detachNewThread { [self] in
            serve(wakened)
            stopped.leave()
        }
    }

    var status: AppConnection.ExitStatus? { state.withLock { $0.status } }

    /// The streams, with all that is in their pipes by now.
    var streams: [KeptOutput] {
        state.withLock { state in
            for index in state.streams.indices { state.streams[index].read() }
            return state.streams
        }
    }

    /// Applies all that the app has posted by now.
    ///
    /// Read and applied under one lock: a wait that begins must not overtake what another thread has read.
    func receive() {
        state.withLock { state in
            if state.connection == nil, !state.hasEnded {
                guard let connection = UnixSocket.accept(on: state.listener) else { return }
                state.connection = connection
                if state.streams.isEmpty { input.withLock { $0 = fcntl(connection, F_DUPFD_CLOEXEC, 0) } }
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
        // Once the app has ended, the rest is read, but not for ever: a process that left the app may hold its streams open.
        var deadline: DispatchTime?
        while true {
            receive()
            var descriptors = streams.filter { !$0.hasEnded }.map(\.descriptor)
            state.withLock { state in
                if state.hasEnded { return }
                if let connection = state.connection { descriptors.append(connection) }
                if state.connection == nil, deadline == nil { descriptors.append(state.listener) }
            }
            if deadline == nil { descriptors.append(wakened) }
            if descriptors.isEmpty { break }
            let ready = UnixSocket.ready(descriptors, until: deadline)
            // The time counts even if there is something to read: that process may write without a pause.
            if ready.isEmpty || deadline.map({ $0 < .now() }) == true { break }
            if ready.contains(wakened), UnixSocket.read(wakened) == nil { deadline = .now() + 1 }
        }
        receive()
        state.withLock { state in
            for index in state.streams.indices { state.streams[index].close() }
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

    func waitUntilStopped() {
        stopped.wait()
    }

    func closeInput() {
        input.withLock { if let input = $0.take() { close(input) } }
    }

    /// More for the message of a wait that failed: the app's side of it; `nil` if there is nothing to say.
    var remark: String? {
        let (isConnected, status) = state.withLock { ($0.connection != nil, $0.status) }
        var lines = zip(streams, ["output", "error output"]).map { $0.lastLines(named: $1) }
        // With code 64 a launcher says that it refused its arguments, before it would have connected.
        if !isConnected, status != .exited(code: 64) {
            let never =
                "the app never connected to the test: it must read an AutomationContext and, without an AppLauncher, "
                + "call connectToTest(), in a build with checkpoints (for debugging, or with -Xswiftc -DAPP_AUTOMATION)"
            lines.insert(never, at: 0)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
