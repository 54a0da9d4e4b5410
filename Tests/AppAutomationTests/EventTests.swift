import AppAutomation
import Foundation
import TestSupport
import Testing

@Suite("Events")
struct EventTests {
    @Test(
        "an event survives its way over the wire",
        arguments: [
            AutomationEvent.Kind.checkpoint(Checkpoint("dataRefreshed")),
            .checkpoint(Checkpoint("")),
            .checkpoint(Checkpoint("two words \\n \n\r\n end\\")),
            .element(ElementIdentifier("row 1"), .tappable),
            .element(ElementIdentifier(""), .gone),
            .checkpoint(Checkpoint("\u{301}begins with a combining mark")),
            .checkpoint(Checkpoint("\u{200D}begins with a joiner")),
            .element(ElementIdentifier("\u{1F3FD}begins with a skin tone"), .visible),
            .checkpoint(Checkpoint("e\u{301}")),
        ]
    )
    func wire(kind: AutomationEvent.Kind) throws {
        let event = AutomationEvent(kind)
        let line = EventLines.line(of: event)
        #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        #expect(line.last == UInt8(ascii: "\n"))
        var lines = EventLines()
        #expect(lines.append(line) == [event])
    }

    @Test("events are put together from pieces, and any other line is left out")
    func pieces() {
        var lines = EventLines()
        let sent = [
            AutomationEvent(.checkpoint(Checkpoint("a"))), AutomationEvent(.element(ElementIdentifier("e"), .gone)),
        ]
        let nonsense = ["", "nonsense", "{}", #"{"time":1}"#, #"{"kind":{"other":{"_0":"x"}},"time":1}"#].map {
            Array($0.utf8)
        }
        let foreign = nonsense.flatMap { $0 + [UInt8(ascii: "\n")] }
        let bytes = foreign + sent.flatMap(EventLines.line) + foreign
        #expect(bytes.flatMap { lines.append([$0]) } == sent)
        #expect(lines.append(bytes) == sent)
    }

    @Test("a line that is no event is named on standard error")
    func foreignLine() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            var lines = EventLines()
            #expect(lines.append(Array("another version\n".utf8)).isEmpty)
        }
        let written = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(written.contains("AutomationTesting: not an event, so left out: another version\n"))
    }

    @Test("a checkpoint that nobody waits for leaves no trace")
    func noTrace() async {
        await #expect(processExitsWith: .success) {
            func post(_ count: Int) {
                for _ in 0..<count { postCheckpoint(Checkpoint("nobody waits for this")) }
            }
            post(10_000)
            let before = try residentMemory()
            post(1_000_000)
            #expect(try residentMemory() - before < 1000)
        }
    }

    @Test("an element is also in the states that its state implies", arguments: ElementState.allCases)
    func implied(state: ElementState) {
        let implied: [ElementState: Set<ElementState>] = [
            .present: [.present], .visible: [.present, .visible], .tappable: [.present, .visible, .tappable],
            .gone: [.gone],
        ]
        #expect(Set(ElementState.allCases.filter(state.implies)) == implied[state])
    }

    @Test("a listener receives what is posted from then on, in its order, until it stops")
    func listening() {
        let hub = EventHub()
        let seen = Locked<[AutomationEvent]>([])
        hub.post(.checkpoint(Checkpoint("before")))
        hub.listen(seen, elementsSince: 0) { event in seen.withLock { $0.append(event) } }
        hub.post(.checkpoint(Checkpoint("1")))
        hub.post(.element(ElementIdentifier("e"), .visible))
        hub.stopListening(seen)
        hub.post(.checkpoint(Checkpoint("after")))
        let events = seen.withLock { $0 }
        #expect(events.map(\.kind) == [.checkpoint(Checkpoint("1")), .element(ElementIdentifier("e"), .visible)])
        #expect(events.map(\.time) == events.map(\.time).sorted())
    }

    @Test("a listener first receives the newest announcement of every element, unless that is too old")
    func elementsAreKept() {
        let hub = EventHub()
        hub.post(.element(ElementIdentifier("e"), .visible))
        hub.post(.element(ElementIdentifier("e"), .gone))
        #expect(hub.newest() == [.element(ElementIdentifier("e"), .gone)])
        #expect(hub.newest(since: DispatchTime.now().uptimeNanoseconds) == [])
    }

    @Test("nothing is on the screen of an app that has ended, and its end is received at any time")
    func end() {
        let hub = EventHub()
        hub.post(.element(ElementIdentifier("e"), .visible))
        hub.receive(AutomationEvent(.end("over")))
        #expect(hub.newest() == [.end("over")])
    }
}

/// In KB; 0 where the system has no such file.
private func residentMemory() throws -> Int {
    guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return 0 }
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
}

extension EventHub {
    /// The events that a listener receives at once.
    fileprivate func newest(since time: UInt64 = 0) -> [AutomationEvent.Kind] {
        let seen = Locked<[AutomationEvent.Kind]>([])
        listen(seen, elementsSince: time) { event in seen.withLock { $0.append(event.kind) } }
        stopListening(seen)
        return seen.withLock { $0 }
    }
}

@Suite("The socket to the test")
struct TestConnectionTests {
    private struct NoOptions: LaunchOptions {}

    /// Connects as an app does that something else than a test launched.
    private static func connect(to path: String?, launch: String? = nil) throws {
        var environment: [String: String] = [:]
        environment[AutomationVariable.socket] = path
        environment[AutomationVariable.launch] = launch
        try AutomationContext<NoOptions>(arguments: [], environment: environment).connectToTest()
    }

    @Test("nothing is opened where no socket is named")
    func noSocket() throws {
        try Self.connect(to: nil)
    }

    @Test(
        "a socket that is not there is named in one line, and the app goes on",
        arguments: [
            ("/nowhere/s", "No such file or directory"),
            ("/" + String(repeating: "x", count: 120), "the path is 121 bytes long, at most 10"),
        ]
    )
    func missingSocket(path: String, cause: String) async {
        let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent]) {
            [path = path as String] in
            try TestConnectionTests.connect(to: path)
            exit(3)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("AppAutomation: the socket for checkpoints at \(path) cannot be opened: \(cause)"))
    }

    @Test("an app that a test launched ends if it cannot connect")
    func gone() async {
        await #expect(processExitsWith: .exitCode(1)) {
            try TestConnectionTests.connect(to: "/nowhere/s", launch: "/nowhere")
            exit(3)
        }
    }

    @Test("to connect again has no effect, and an app's own children do not connect")
    func twice() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.file("s").path
        await #expect(processExitsWith: .success) { [path = path as String] in
            setenv(AutomationVariable.socket, path, 1)
            let listener = try UnixSocket.listen(at: path)
            let context = try AutomationContext<NoOptions>(arguments: [])
            context.connectToTest()
            let connection = try #require(UnixSocket.accept(on: listener))
            context.connectToTest()
            #expect(UnixSocket.accept(on: listener) == nil)
            #expect(getenv(AutomationVariable.socket) == nil)
            postCheckpoint(Checkpoint("once"))
            var lines = EventLines()
            #expect(
                lines.append(try #require(UnixSocket.read(connection))).map(\.kind) == [.checkpoint(Checkpoint("once"))]
            )
            exit(0)
        }
    }
}
