import AppAutomation
import Foundation
import TestSupport
import Testing

@testable import AutomationTesting

/// Events that are under way between an app and its test when a wait begins or ends. The test plays the app, so
/// that the order is known.
@Suite("Under way")
final class UnderWayTests {
    private let folder: TemporaryFolder
    private let link: AppLink
    private let source: EventSource
    /// The app's end.
    private let socket: CInt

    init() throws {
        folder = try TemporaryFolder()
        let listener = try UnixSocket.listen(at: folder.file("s").path)
        link = try AppLink(listener: listener)
        source = EventSource(link: link, scope: .current)
        socket = try UnixSocket.connect(to: folder.file("s").path)
    }

    deinit {
        close(socket)
        link.stop()
        link.stopped.wait()
        folder.remove()
    }

    private func post(_ events: AutomationEvent...) {
        _ = UnixSocket.send(events.flatMap(EventLines.line), to: socket)
    }

    @Test("a checkpoint that was posted before a wait began does not end it, though it arrives later")
    func checkpoint() {
        let early = AutomationEvent(.checkpoint(.refreshed))
        let failure = source.failure(for: .checkpoint(.refreshed), timeout: 0.05) {
            post(early, AutomationEvent(.checkpoint(.other)))
        }
        #expect(failure?.contains(#"within 0.05 s; seen instead: checkpoint "other""#) == true)
        let next = source.failure(for: .checkpoint(.refreshed), timeout: 30) {
            post(early, AutomationEvent(.checkpoint(.refreshed)))
        }
        #expect(next == nil)
    }

    @Test("an element counts in its newest state, though that is still under way", arguments: [true, false])
    func element(isConnected: Bool) {
        if isConnected { #expect(source.failure(for: .element(.row, .present), timeout: 0) {} != nil) }
        post(AutomationEvent(.element(.row, .visible)), AutomationEvent(.element(.row, .gone)))
        #expect(source.failure(for: .element(.row, .visible), timeout: 0.01) {} != nil)
        #expect(source.failure(for: .element(.row, .gone), timeout: 0) {} == nil)
    }

    @Test("a checkpoint that was posted in time counts, though the test was too busy to read it")
    func busyTest() {
        let failure = source.failure(for: .checkpoint(.refreshed), timeout: 0) {
            post(AutomationEvent(.checkpoint(.refreshed)))
        }
        #expect(failure == nil)
    }

    @Test("an app that closes its connection and lives on ends no wait and keeps none from beginning")
    func closed() {
        #expect(
            source.failure(for: .checkpoint(.refreshed), timeout: 0.01) { shutdown(socket, CInt(SHUT_RDWR)) } != nil
        )
        let failure = source.failure(for: .checkpoint(.refreshed), timeout: 0.01) {}
        #expect(failure?.contains("within 0.01 s; nothing was seen instead") == true)
    }

    @Test("four threads that post side by side lose no event")
    func sideBySide() {
        let hub = EventHub()
        hub.send(to: socket)
        let seen = Locked<[AutomationEvent.Kind: Int]>([:])
        link.hub.listen(self, elementsSince: .max) { event in
            seen.withLock { $0[event.kind, default: 0] += 1 }
        }
        defer { link.hub.stopListening(self) }
        let failure = source.failure(for: .checkpoint(.refreshed), timeout: 30) {
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for _ in 0..<250 { hub.post(.checkpoint(Checkpoint("\(thread)"))) }
            }
            hub.post(.checkpoint(.refreshed))
        }
        #expect(failure == nil)
        #expect(seen.withLock { $0.values.sorted() } == [1, 250, 250, 250, 250])
    }
}
