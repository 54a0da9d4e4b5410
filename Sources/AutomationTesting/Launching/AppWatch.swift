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

        private let hub: EventHub
        private let connection: AppConnection
        private let heard: Locked<Heard>
        private let finished = DispatchGroup()
        /// Whether the test that launched the app has ended.
        let isTestOver = Locked(false)

        /// Takes over the descriptors and closes them when there is no more use for them.
        ///
        /// - Parameters:
        ///   - listener: The socket that the app connects to.
        ///   - outputLimit: How many bytes of each stream are kept.
        ///   - hub: Where the app's events are posted.
        init(listener: CInt, output: CInt, errorOutput: CInt, outputLimit: Int, hub: EventHub) {
            self.hub = hub
            connection = AppConnection(listener: listener, hub: hub)
            let keptOutput = KeptOutput(of: output, limit: outputLimit)
            let keptErrorOutput = KeptOutput(of: errorOutput, limit: outputLimit)
            heard = Locked(Heard(output: keptOutput, errorOutput: keptErrorOutput))
        }

        /// Watches from now on.
        ///
        /// - Parameters:
        ///   - patience: For how many seconds streams are read that stay open after the app's end.
        ///   - clean: Ends what the app left running, before the system can reuse the app's number.
        func begin(
            _ app: ChildProcess,
            patience: Double = 1,
            beforeReaping clean: @escaping @Sendable () -> Void
        ) throws {
            let (ended, end) = try Descriptors.pipe()
            finished.enter()
            Thread.detachNewThread { [self] in
                read(until: ended, patience)
                hub.post(.end(status?.description ?? "the app ended"))
                finished.leave()
            }
            Thread.detachNewThread { [self] in
                let status = app.waitForEndOfGroup(beforeReaping: clean)
                heard.withLock { $0.status = status }
                Descriptors.close(end)
            }
        }

        /// - Parameter ended: Has something to read, its end, once the app has ended.
        private func read(until ended: CInt, _ patience: Double) {
            // No deadline while the app runs. Once it has ended, the rest is read until the streams end, but not for ever: a
            // process that left the app's group may hold them open.
            var deadline: DispatchTime?
            while true {
                let streams = heard.withLock { [$0.output.descriptor, $0.errorOutput.descriptor] }.compactMap(\.self)
                if streams.isEmpty, deadline != nil, !connection.isOpen { break }
                let others = [connection.descriptor, deadline == nil ? ended : nil].compactMap(\.self)
                let ready = UnixSocket.ready(streams + others, until: deadline)
                // The time counts even if there is something to read: that process may write without a pause.
                if ready.isEmpty || deadline.map({ $0 < .now() }) == true { break }
                let events = connection.read(ready)
                // What the app wrote before it posted is in the pipes by now, and comes before the events.
                heard.withLock { heard in
                    heard.output.read(ready, mayHoldMore: !events.isEmpty)
                    heard.errorOutput.read(ready, mayHoldMore: !events.isEmpty)
                }
                for event in events { hub.post(event) }
                if deadline == nil, ready.contains(ended) { deadline = .now() + patience }
            }
            heard.withLock { heard in
                heard.output.close()
                heard.errorOutput.close()
            }
            connection.close()
            Descriptors.close(ended)
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
            return connection + lastLines(of: output, named: "output") + "\n"
                + lastLines(of: errorOutput, named: "error output")
        }
    }
#endif
