import AppAutomation
import Foundation
import Groundwork

/// The test's end of all that an app says: the connection and, of an app that the test launched, its output.
///
/// A thread reads, so that nothing is ever full; waits read as well, so that they begin and end with all that there is. The
/// thread holds the link and not the app's public object, which ends the app when the last reference to it goes.
final class AppLink: Sendable {
    private struct Connection {
        let listener: CInt
        /// True if the app takes lines on its connection.
        let takesLines: Bool
        var descriptor: CInt?
        var wasMade = false
        var hasEnded = false
        var lines = EventLines()
    }

    private struct Streams {
        var output: KeptOutput?
        var errorOutput: KeptOutput?
        var status: AppConnection.ExitStatus?
    }

    let hub = EventHub()
    /// The descriptor on which the app takes lines; `nil` if there is none yet, or no more.
    let input: Locked<CInt?>
    private let connection: Locked<Connection>
    private let streams: Locked<Streams>
    /// A byte sent to the first wakes the thread, and closing it stops the thread.
    private let waker: Locked<CInt?>
    private let stopped = DispatchGroup()

    /// Takes over the descriptors and closes them when there is no more use for them.
    ///
    /// - Parameters:
    ///   - listener: The socket that the app connects to.
    ///   - input: The descriptor on which the app takes lines; without one it takes them on its connection.
    ///   - patience: The number of seconds for which streams are read that stay open after the app's end.
    init(
        listener: CInt,
        input: CInt? = nil,
        output: KeptOutput? = nil,
        errorOutput: KeptOutput? = nil,
        patience: Double = 1
    ) throws {
        guard let (wakened, waker) = UnixSocket.pair() else {
            throw AutomationError(.launch, "no socket can be opened: \(SystemError.last)")
        }
        connection = Locked(Connection(listener: listener, takesLines: input == nil))
        streams = Locked(Streams(output: output, errorOutput: errorOutput))
        self.input = Locked(input)
        self.waker = Locked(waker)
        stopped.enter()
        Thread.detachNewThread { [self] in
            serve(wakened, patience)
            stopped.leave()
        }
    }

    var output: String { kept(\.output)?.text ?? "" }
    var errorOutput: String { kept(\.errorOutput)?.text ?? "" }
    var status: AppConnection.ExitStatus? { streams.withLock { $0.status } }
    private var wasConnected: Bool { connection.withLock { $0.wasMade } }

    /// Applies all that the app has posted by now.
    ///
    /// Read and applied under one lock: a wait that begins must not overtake what another thread has read.
    func receive() {
        connection.withLock { connection in
            if connection.descriptor == nil, !connection.hasEnded {
                guard let descriptor = UnixSocket.accept(on: connection.listener) else { return }
                connection.descriptor = descriptor
                connection.wasMade = true
                if connection.takesLines { input.withLock { $0 = fcntl(descriptor, F_DUPFD_CLOEXEC, 0) } }
                waker.withLock { if let waker = $0 { _ = UnixSocket.send([0], to: waker, patience: 0) } }
            }
            while let descriptor = connection.descriptor, !connection.hasEnded {
                guard let bytes = UnixSocket.read(descriptor) else { return connection.hasEnded = true }
                if bytes.isEmpty { return }
                for event in connection.lines.append(bytes) { hub.receive(event) }
            }
        }
    }

    /// Reads all that is in the pipes of the app's output by now.
    func readStreams() {
        streams.withLock { streams in
            streams.output?.read()
            streams.errorOutput?.read()
        }
    }

    private func kept(_ stream: KeyPath<Streams, KeptOutput?>) -> KeptOutput? {
        readStreams()
        return streams.withLock { $0[keyPath: stream] }
    }

    /// The thread's work. It alone closes what it waits on.
    private func serve(_ wakened: CInt, _ patience: Double) {
        // Once the app has ended, the rest is read, but not for ever: a process that left the app may hold its streams open.
        var deadline: DispatchTime?
        while true {
            readStreams()
            receive()
            var descriptors = streams.withLock { streams in
                [streams.output, streams.errorOutput].compactMap { $0?.hasEnded == false ? $0?.descriptor : nil }
            }
            connection.withLock { connection in
                if connection.hasEnded { return }
                if let descriptor = connection.descriptor { descriptors.append(descriptor) }
                if connection.descriptor == nil, deadline == nil { descriptors.append(connection.listener) }
            }
            if deadline == nil { descriptors.append(wakened) }
            if descriptors.isEmpty { break }
            let ready = UnixSocket.ready(descriptors, until: deadline)
            // The time counts even if there is something to read: that process may write without a pause.
            if ready.isEmpty || deadline.map({ $0 < .now() }) == true { break }
            if ready.contains(wakened), UnixSocket.read(wakened) == nil { deadline = .now() + patience }
        }
        receive()
        streams.withLock { streams in
            streams.output?.close()
            streams.errorOutput?.close()
        }
        connection.withLock { connection in
            close(connection.listener)
            if let descriptor = connection.descriptor.take() { close(descriptor) }
            connection.hasEnded = true
        }
        close(wakened)
        closeInput()
        hub.receive(AutomationEvent(.end(status?.description ?? "the connection was closed")))
    }

    /// Stops the thread, once the app has ended or nobody waits for it any more.
    func stop(_ status: AppConnection.ExitStatus? = nil) {
        streams.withLock { $0.status = $0.status ?? status }
        waker.withLock { if let waker = $0.take() { close(waker) } }
    }

    func waitUntilStopped() {
        stopped.wait()
    }

    func closeInput() {
        input.withLock { if let input = $0.take() { close(input) } }
    }

    /// More for the message of a wait that failed: the app's side of it.
    var remark: String {
        // With code 64 a launcher says that it refused its arguments, before it would have connected.
        let connection =
            wasConnected || status == .exited(code: 64)
            ? ""
            : "the app never connected to the test: it must read an AutomationContext and, without an AppLauncher, "
                + "call connectToTest(), in a build with checkpoints (for debugging, or with -Xswiftc -DAPP_AUTOMATION)"
        let lines = [
            kept(\.output)?.lastLines(named: "output"), kept(\.errorOutput)?.lastLines(named: "error output"),
        ]
        return ([connection].filter { !$0.isEmpty } + lines.compactMap(\.self)).joined(separator: "\n")
    }
}
