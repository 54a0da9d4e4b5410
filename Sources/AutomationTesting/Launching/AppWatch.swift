#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

    /// Reads all that an app says, on its streams and on its socket, for as long as it runs.
    ///
    /// One thread reads, so that no pipe is ever full and events come in their order; another waits for the app's end.
    final class AppWatch: Sendable {
        private struct Heard {
            var output: KeptOutput
            var errorOutput: KeptOutput
            var status: AppProcess.ExitStatus?
        }

        let hub = EventHub()
        private let connection: AppConnection
        private let heard: Locked<Heard>
        private let finished = DispatchGroup()
        /// Whether the test that launched the app has ended.
        let isTestOver = Locked(false)

        /// - Parameters:
        ///   - listener: The socket that the app connects to; it is closed when there is no more use for it.
        ///   - outputLimit: How many bytes of each stream are kept.
        init(listener: CInt, outputLimit: Int) {
            connection = AppConnection(listener: listener, hub: hub)
            let output = KeptOutput(limit: outputLimit)
            heard = Locked(Heard(output: output, errorOutput: output))
        }

        /// Watches from now on; takes over the descriptors and closes them.
        ///
        /// - Parameters:
        ///   - patience: For how many seconds streams are read that stay open after the app's end.
        ///   - clean: Ends what the app left running, before the system can reuse the app's number.
        func begin(
            _ app: ChildProcess,
            output: CInt,
            errorOutput: CInt,
            patience: Double = 1,
            beforeReaping clean: @escaping @Sendable () -> Void
        ) throws {
            let (ended, end) = try Descriptors.pipe()
            finished.enter()
            Thread.detachNewThread { [self] in
                read(Streams(output: output, errorOutput: errorOutput, ended: ended), patience)
                hub.post(.end(status?.description ?? "the app ended"))
                finished.leave()
            }
            Thread.detachNewThread { [self] in
                let status = app.waitForEndOfGroup(beforeReaping: clean)
                heard.withLock { $0.status = status }
                Descriptors.close(end)
            }
        }

        /// The descriptors that are read besides the connection, each until its end.
        private struct Streams {
            var output: CInt?
            var errorOutput: CInt?
            var ended: CInt?
        }

        private func read(_ streams: Streams, _ patience: Double) {
            var streams = streams
            for stream in [streams.output, streams.errorOutput] { stream.map(Descriptors.neverBlock) }
            // No deadline while the app runs. Once it has ended, the rest is read until the streams end, but not for ever: a
            // process that left the app's group may hold them open.
            var deadline: DispatchTime?
            while true {
                let open = [streams.output, streams.errorOutput, streams.ended].compactMap { $0 }
                if open.isEmpty, !connection.isOpen { break }
                let ready = UnixSocket.ready(open + connection.descriptors, until: deadline)
                // The time counts even if there is something to read: that process may write without a pause.
                if ready.isEmpty || deadline.map({ $0 < .now() }) == true { break }
                let events = connection.read(ready)
                // What the app wrote before it posted is in the pipes by now, and comes before the events.
                readStream(&streams.output, ready, mayHoldMore: !events.isEmpty) { $0.output.append($1) }
                readStream(&streams.errorOutput, ready, mayHoldMore: !events.isEmpty) { $0.errorOutput.append($1) }
                for event in events { hub.post(event) }
                if let ended = streams.ended, ready.contains(ended) {
                    Descriptors.close(ended)
                    streams.ended = nil
                    deadline = .now() + patience
                }
            }
            for stream in [streams.output, streams.errorOutput, streams.ended] { stream.map { Descriptors.close($0) } }
            connection.close()
        }

        /// Reads what is ready or, if the stream may hold more than was known to be ready, all that it holds.
        private func readStream(
            _ stream: inout CInt?,
            _ ready: [CInt],
            mayHoldMore: Bool,
            _ keep: (inout Heard, [UInt8]) -> Void
        ) {
            guard let descriptor = stream, mayHoldMore || ready.contains(descriptor) else { return }
            // The limit is the size of the largest pipe that a user can have on Linux. Without it, a process that writes
            // without a pause would hold back the events.
            var left = mayHoldMore ? 1 << 20 : 1
            while left > 0 {
                guard let bytes = UnixSocket.read(descriptor) else {
                    Descriptors.close(descriptor)
                    stream = nil
                    return
                }
                heard.withLock { keep(&$0, bytes) }
                left = bytes.isEmpty ? 0 : left - bytes.count
            }
        }

        /// Blocks until the app has ended and all it said has been read.
        func waitUntilFinished() {
            finished.wait()
        }

        var status: AppProcess.ExitStatus? { heard.withLock { $0.status } }

        var output: String { heard.withLock { $0.output }.text }

        var errorOutput: String { heard.withLock { $0.errorOutput }.text }

        var source: EventSource {
            EventSource(hub: hub) {
                self.connection.fence($0)
            } remark: {
                self.remark
            } isTestOver: {
                self.isTestOver.withLock { $0 }
            }
        }

        /// What a failure says of the app when it did not do what a test waited for.
        private var remark: String {
            // With code 64 a launcher says that it refused its arguments, before it would have connected.
            let connection =
                self.connection.wasMade || status == .exited(code: 64)
                ? ""
                : "the app never connected to the test: it must read an AutomationContext and, without an AppLauncher, "
                    + "call connectToTest(), in a build with checkpoints (for debugging, or with -Xswiftc -DAPP_AUTOMATION)\n"
            return connection + LastLines(output).message(named: "output") + "\n"
                + LastLines(errorOutput).message(named: "error output")
        }
    }
#endif
