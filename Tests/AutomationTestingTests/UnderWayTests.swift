import AppAutomation
import Foundation
import TestSupport
import Testing

@testable import AutomationTesting

/// What is under way between an app and its test when a wait begins or ends. The test plays the app, so that the order of
/// what happens is known.
@Suite("Under way")
final class UnderWayTests {
    private let folder: TemporaryFolder
    private let hub = EventHub()
    private let watch: AppWatch
    /// The app's ends.
    private let socket: CInt
    private let output: CInt
    private let end: CInt
    private let begin: () throws -> Void

    init() throws {
        folder = try TemporaryFolder()
        let listener = try UnixSocket.listen(at: folder.file("s").path)
        socket = try UnixSocket.connect(to: folder.file("s").path)
        let (read, write) = try Descriptors.pipe()
        let watch = AppWatch(
            listener: listener,
            output: read,
            errorOutput: Descriptors.null(),
            outputLimit: 1_000_000,
            hub: hub
        )
        (self.watch, output) = (watch, write)
        // A process that ends when it is told to.
        let (theirs, ours) = try Descriptors.socketPair()
        end = ours
        begin = {
            let null = Descriptors.null()
            let child = try ChildProcess.launch("/bin/cat", [], environment: [:], streams: [theirs, null, null])
            Descriptors.close(theirs, null)
            try watch.begin(child) {}
        }
    }

    deinit {
        Descriptors.close(socket, output, end)
        watch.waitUntilFinished()
        folder.remove()
    }

    private func post(_ events: AutomationEvent...) {
        _ = UnixSocket.send(events.flatMap(EventLines.line), to: socket)
    }

    /// Plays the app's answer to the next fence.
    private func answer() throws {
        try #require(UnixSocket.ready([socket], until: .now() + 30) == [socket], "nobody asked for a fence")
        _ = UnixSocket.send(try #require(UnixSocket.read(socket)), to: socket)
    }

    @Test("what the app wrote before it posted is in its output when the wait returns")
    func whatIsWritten() throws {
        let seen = Decision<String>()
        let watch = watch
        let listener = hub.listen { event in
            if event == .checkpoint(.refreshed) { seen.decide(watch.output) }
        }
        defer { hub.stopListening(listener) }
        // More than is read at once, so that some of it is left when the checkpoint comes.
        let text = String(repeating: "written\n", count: 50_000)
        #expect(fcntl(output, setPipeSize, 1 << 20) >= text.utf8.count)
        try Descriptor(number: output).writeAll(Array(text.utf8))
        post(.checkpoint(.refreshed))
        try begin()
        #expect(seen.wait(until: .now() + 30, otherwise: "nothing") == text)
    }

    @Test("a checkpoint that was posted before a wait began does not end it")
    func checkpoint() throws {
        post(.checkpoint(.refreshed))
        let wait = EventWait(for: .checkpoint(.refreshed), on: hub, fence: watch.source.fence)
        defer { wait.stopListening() }
        try begin()
        try answer()
        wait.begin(patience: 30)
        #expect(wait.finish(timeout: 0.01) == .timedOut)
        #expect(wait.failure(.timedOut, timeout: 0.01).hasSuffix("; nothing was seen instead"))

        let next = EventWait(for: .checkpoint(.refreshed), on: hub, fence: watch.source.fence)
        defer { next.stopListening() }
        try answer()
        next.begin(patience: 30)
        post(.checkpoint(.refreshed))
        #expect(next.finish(timeout: 30) == .met)
    }

    @Test("an element counts in the state that it was announced in last, though that is still under way")
    func element() throws {
        try begin()
        let first = EventWait(for: .element(.row, .visible), on: hub, fence: watch.source.fence)
        defer { first.stopListening() }
        try answer()
        first.begin(patience: 30)
        post(.element(.row, .visible))
        #expect(first.finish(timeout: 30) == .met)

        post(.element(.row, .gone))
        let second = EventWait(for: .element(.row, .visible), on: hub, fence: watch.source.fence)
        defer { second.stopListening() }
        try answer()
        second.begin(patience: 30)
        #expect(second.finish(timeout: 0.01) == .timedOut)
    }

    @Test("a wait that the app did not answer says so when it fails")
    func unanswered() throws {
        try begin()
        let wait = EventWait(for: .checkpoint(.refreshed), on: hub, fence: watch.source.fence)
        defer { wait.stopListening() }
        wait.begin(patience: 0.01)
        #expect(wait.finish(timeout: 0.01) == .timedOut)
        let why = "; nothing was seen instead; the app did not answer when the wait began: it may be stopped"
        #expect(wait.failure(.timedOut, timeout: 0.01).hasSuffix(why))
    }

    @Test("an app that closes its connection and lives on ends no wait and keeps none from beginning")
    func closed() throws {
        try begin()
        let wait = EventWait(for: .checkpoint(.refreshed), on: hub, fence: watch.source.fence)
        defer { wait.stopListening() }
        shutdown(socket, CInt(SHUT_RDWR))
        wait.begin(patience: .infinity)
        let later = EventWait(for: .checkpoint(.refreshed), on: hub, fence: watch.source.fence)
        defer { later.stopListening() }
        later.begin(patience: .infinity)
        #expect(later.finish(timeout: 0.01) == .timedOut)
    }
}

/// `F_SETPIPE_SZ`, which the headers show to GNU's C alone.
private let setPipeSize: CInt = 1031
