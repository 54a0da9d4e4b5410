#if os(macOS) || os(Linux)
    import Groundwork
    import AppAutomation
    import Foundation

    /// Reads all that an app says, on its streams and on its socket, for as long as it runs.
    ///
    /// One thread reads, so that no pipe is ever full and events come in their order; another waits for the app's end.
    final class AppWatch: Sendable {
        private struct Heard {
            var output: [UInt8] = []
            var errorOutput: [UInt8] = []
            var isConnected = false
            var status: ExitStatus?
        }

        let hub = EventHub()
        private let heard = Locked(Heard())
        private let finished = DispatchGroup()

        /// Watches from now on; takes over the descriptors and closes them.
        ///
        /// - Parameter patience: For how many seconds streams are read that stay open after the app's end.
        func begin(
            _ app: ChildProcess,
            output: CInt,
            errorOutput: CInt,
            socket: CInt,
            patience: Double = 1,
            beforeReaping clean: @escaping @Sendable () -> Void
        ) throws {
            let (ended, end) = try Descriptors.pipe()
            finished.enter()
            Thread.detachNewThread { [self] in
                read(Sources(output: output, errorOutput: errorOutput, listener: socket, ended: ended), patience)
                let status = heard.withLock { $0.status }
                hub.post(.end(status?.description ?? "the app ended"))
                finished.leave()
            }
            Thread.detachNewThread { [self] in
                let status = app.waitForEnd(beforeReaping: clean)
                heard.withLock { $0.status = status }
                Descriptors.close(end)
            }
        }

        /// The descriptors that are read, each until its end.
        private struct Sources {
            var output: CInt?
            var errorOutput: CInt?
            var listener: CInt?
            var connection: CInt?
            var ended: CInt?
            var lines = EventLines()

            init(output: CInt, errorOutput: CInt, listener: CInt, ended: CInt) {
                (self.output, self.errorOutput, self.listener, self.ended) = (output, errorOutput, listener, ended)
            }

            var open: [CInt] {
                [output, errorOutput, listener, connection, ended].compactMap { $0 }
            }
        }

        private func read(_ sources: Sources, _ patience: Double) {
            var sources = sources
            // While the app runs, for ever. Once it has ended, what it said last is read until the streams end;
            // somebody who left the app's group may hold them open, so not for long.
            var deadline: DispatchTime?
            while sources.output != nil || sources.errorOutput != nil || sources.connection != nil
                || sources.ended != nil
            {
                let rest = deadline.map(Self.milliseconds)
                let readable = Descriptors.readable(of: sources.open, milliseconds: rest ?? -1)
                // Whoever holds the streams may write without a pause, so that there is always something to read.
                if readable.isEmpty || rest == 0 { break }
                readSocket(&sources, readable)
                readStream(&sources.output, readable) { $0.output += $1 }
                readStream(&sources.errorOutput, readable) { $0.errorOutput += $1 }
                if let ended = sources.ended, readable.contains(ended) {
                    Descriptors.close(ended)
                    sources.ended = nil
                    deadline = .now() + patience
                }
            }
            sources.open.forEach { Descriptors.close($0) }
        }

        /// What is left until then, on the clock that nobody sets; 0 once it is over.
        private static func milliseconds(until deadline: DispatchTime) -> CInt {
            let (end, now) = (deadline.uptimeNanoseconds, DispatchTime.now().uptimeNanoseconds)
            return end > now ? CInt((end - now) / 1_000_000) : 0
        }

        private func readSocket(_ sources: inout Sources, _ readable: [CInt]) {
            if let connection = sources.connection, readable.contains(connection) {
                if let bytes = Descriptors.read(connection) {
                    for event in sources.lines.append(bytes) { hub.post(event) }
                } else {
                    Descriptors.close(connection)
                    sources.connection = nil
                }
            }
            if let listener = sources.listener, readable.contains(listener) {
                // One app, one connection: nobody else is let in.
                sources.connection = UnixSocket.accept(on: listener)
                heard.withLock { $0.isConnected = true }
                Descriptors.close(listener)
                sources.listener = nil
            }
        }

        private func readStream(_ stream: inout CInt?, _ readable: [CInt], _ keep: (inout Heard, [UInt8]) -> Void) {
            guard let descriptor = stream, readable.contains(descriptor) else { return }
            if let bytes = Descriptors.read(descriptor) {
                heard.withLock { keep(&$0, bytes) }
            } else {
                Descriptors.close(descriptor)
                stream = nil
            }
        }

        /// Blocks until the app has ended and all it said has been read.
        func waitUntilFinished() {
            finished.wait()
        }

        var status: ExitStatus? { heard.withLock { $0.status } }

        var output: String { heard.withLock { String(decoding: $0.output, as: UTF8.self) } }

        var errorOutput: String { heard.withLock { String(decoding: $0.errorOutput, as: UTF8.self) } }

        /// What is worth saying when the app did not do what a test waited for.
        var remark: String {
            let (output, errorOutput, isBlamed) = heard.withLock { heard in
                // With code 64 a launcher says that it refused its arguments, before it would have connected.
                let isBlamed = !heard.isConnected && heard.status != .exited(code: 64)
                return (LastLines(heard.output), LastLines(heard.errorOutput), isBlamed)
            }
            let connection =
                isBlamed
                ? "the app never connected to the test: it must read an AutomationContext and, without an AppLauncher, "
                    + "call connectToTest(), in a build with checkpoints (for debugging, or with -Xswiftc -DAPP_AUTOMATION)\n"
                : ""
            return connection + output.message(named: "output") + "\n" + errorOutput.message(named: "error output")
        }
    }

    /// Puts lines together from the pieces that they arrive in.
    struct EventLines {
        private var rest: [UInt8] = []

        /// The events in the lines that these bytes complete.
        mutating func append(_ bytes: [UInt8]) -> [AutomationEvent] {
            rest += bytes
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
            let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
            rest.removeSubrange(...end)
            return lines.compactMap { AutomationEvent(line: String(decoding: $0, as: UTF8.self)) }
        }
    }
#endif
