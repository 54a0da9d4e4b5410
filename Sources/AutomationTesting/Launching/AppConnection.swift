#if os(macOS) || os(Linux)
    import AppAutomation
    import Groundwork

    /// The test's end of the socket on which an app posts, from before the app connects until it is gone.
    ///
    /// One thread reads; any other may ask for a fence.
    final class AppConnection: Sendable {
        private struct State {
            /// The socket that the app connects to, then the connection; `nil` once there is neither.
            var descriptor: CInt?
            /// Whether the app ever connected.
            var wasMade = false
            /// Those asked for while an app that has connected is not accepted yet.
            var fences: [UInt64] = []
            var lines = EventLines()
        }

        private let state: Locked<State>
        private let hub: EventHub

        init(listener: CInt, hub: EventHub) {
            state = Locked(State(descriptor: listener))
            self.hub = hub
        }

        /// Whether the app ever connected.
        var wasMade: Bool { state.withLock { $0.wasMade } }

        var isOpen: Bool { state.withLock { $0.wasMade && $0.descriptor != nil } }

        /// What to wait on for something to read; `nil` once nothing comes any more.
        var descriptor: CInt? { state.withLock { $0.descriptor } }

        /// Asks for a fence behind all that the app has posted by now.
        func fence(_ number: UInt64) {
            state.withLock { state in
                if let descriptor = state.descriptor, state.wasMade {
                    Self.send([number], to: descriptor)
                } else if let listener = state.descriptor, !UnixSocket.ready([listener], until: .now()).isEmpty {
                    state.fences.append(number)
                } else {
                    // No app is connected, so no event can be on its way; and none is accepted while this is locked.
                    hub.post(.fence(number))
                }
            }
        }

        /// Accepts the app's connection, or reads what the app posted, if there is something to be read.
        func read(_ ready: [CInt]) -> [AutomationEvent] {
            state.withLock { state in
                guard let descriptor = state.descriptor, ready.contains(descriptor) else { return [] }
                if state.wasMade, let bytes = UnixSocket.read(descriptor) { return state.lines.append(bytes) }
                // One app, one connection: no other is accepted.
                state.descriptor = state.wasMade ? nil : UnixSocket.accept(on: descriptor)
                Descriptors.close(descriptor)
                // Without a connection, all fences are answered: no more events will come.
                guard let connection = state.descriptor else { return [.fence(.max)] }
                state.wasMade = true
                Self.send(state.fences, to: connection)
                return []
            }
        }

        func close() {
            state.withLock { state in
                if let descriptor = state.descriptor.take() { Descriptors.close(descriptor) }
            }
        }

        /// Does not wait for an app that has stopped reading; such an app does not answer either.
        private static func send(_ fences: [UInt64], to descriptor: CInt) {
            let lines = fences.flatMap { EventLines.line(of: .fence($0)) }
            _ = UnixSocket.send(lines, to: descriptor, patience: 0)
        }
    }
#endif
