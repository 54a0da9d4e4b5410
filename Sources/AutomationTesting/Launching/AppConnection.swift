#if os(macOS) || os(Linux)
    import AppAutomation
    import Groundwork

    /// The test's end of the socket on which an app posts, from before the app connects until it is gone.
    ///
    /// One thread reads; any other may ask for a fence.
    final class AppConnection: Sendable {
        private enum State {
            /// Marks asked for in the meantime are kept for an app that has connected but is not accepted yet.
            case awaited(listener: CInt, fences: [UInt64])
            case open(CInt)
            case closed
        }

        private struct Guarded {
            var state: State
            var lines = EventLines()
            var wasMade = false
        }

        private let guarded: Locked<Guarded>
        private let hub: EventHub

        init(listener: CInt, hub: EventHub) {
            guarded = Locked(Guarded(state: .awaited(listener: listener, fences: [])))
            self.hub = hub
        }

        /// Whether the app ever connected.
        var wasMade: Bool { guarded.withLock { $0.wasMade } }

        var isOpen: Bool {
            guarded.withLock { if case .open = $0.state { true } else { false } }
        }

        /// The descriptors to wait on: at most one.
        var descriptors: [CInt] {
            guarded.withLock { guarded in
                switch guarded.state {
                case .awaited(let descriptor, _), .open(let descriptor): [descriptor]
                case .closed: []
                }
            }
        }

        /// Asks for a fence behind all that the app has posted by now.
        func fence(_ number: UInt64) {
            guarded.withLock { guarded in
                switch guarded.state {
                case .open(let descriptor):
                    Self.send([number], to: descriptor)
                case .awaited(let listener, let fences) where !UnixSocket.ready([listener], until: .now()).isEmpty:
                    guarded.state = .awaited(listener: listener, fences: fences + [number])
                case .awaited, .closed:
                    // No app is connected, so no event can be on its way; and none is accepted while this is locked.
                    hub.post(.fence(number))
                }
            }
        }

        /// Accepts the app's connection, or reads what the app posted, if one of these descriptors is ready for that.
        func read(_ ready: [CInt]) -> [AutomationEvent] {
            guarded.withLock { guarded in
                switch guarded.state {
                case .awaited(let listener, let fences) where ready.contains(listener):
                    // One app, one connection: no other is accepted.
                    let connection = UnixSocket.accept(on: listener)
                    guarded.state = connection.map(State.open) ?? .closed
                    guarded.wasMade = connection != nil
                    Descriptors.close(listener)
                    guard let connection else { return [.fence(.max)] }
                    Self.send(fences, to: connection)
                    return []
                case .open(let descriptor) where ready.contains(descriptor):
                    if let bytes = UnixSocket.read(descriptor) { return guarded.lines.append(bytes) }
                    Descriptors.close(descriptor)
                    guarded.state = .closed
                    // Answers every fence that was asked for: no more events will come.
                    return [.fence(.max)]
                default:
                    return []
                }
            }
        }

        func close() {
            guarded.withLock { guarded in
                switch guarded.state {
                case .awaited(let descriptor, _), .open(let descriptor): Descriptors.close(descriptor)
                case .closed: break
                }
                guarded.state = .closed
            }
        }

        /// Does not wait for an app that has stopped reading; such an app does not answer either.
        private static func send(_ fences: [UInt64], to descriptor: CInt) {
            let lines = fences.compactMap { AutomationEvent.fence($0).line }.joined()
            _ = UnixSocket.send(Array(lines), to: descriptor, patience: 0)
        }
    }
#endif
