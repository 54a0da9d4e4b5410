import AppAutomation
import Foundation
import TestSupport
import Testing

@Suite("Events")
struct EventTests {
    @Test(
        "an event survives its way over the wire",
        arguments: [
            AutomationEvent.checkpoint(Checkpoint("dataRefreshed")),
            .checkpoint(Checkpoint("")),
            .checkpoint(Checkpoint("two words \\n \n\r\n end\\")),
            .element(ElementIdentifier("row 1"), .tappable),
            .element(ElementIdentifier(""), .gone),
            .fence(7),
            .checkpoint(Checkpoint("\u{301}begins with a combining mark")),
            .checkpoint(Checkpoint("\u{200D}begins with a joiner")),
            .element(ElementIdentifier("\u{1F3FD}begins with a skin tone"), .visible),
            .checkpoint(Checkpoint("e\u{301}")),
        ]
    )
    func wire(event: AutomationEvent) throws {
        let line = EventLines.line(of: event)
        #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        #expect(line.last == UInt8(ascii: "\n"))
        var lines = EventLines()
        #expect(lines.append(line) == [event])
    }

    @Test("names that differ in bytes are two, though Swift takes their texts for equal")
    func bytesDecide() {
        #expect(Checkpoint("\u{E9}") != Checkpoint("e\u{301}"))
        #expect(ElementIdentifier("\u{E9}") != ElementIdentifier("e\u{301}"))
        #expect(Set([Checkpoint("\u{E9}"), Checkpoint("e\u{301}"), Checkpoint("\u{E9}")]).count == 2)
        #expect(Set([ElementIdentifier("\u{E9}"), ElementIdentifier("e\u{301}")]).count == 2)
    }

    @Test("events are put together from pieces, and a line that is none of ours is left out")
    func pieces() {
        var lines = EventLines()
        let sent = [AutomationEvent.checkpoint(Checkpoint("a")), .fence(1), .element(ElementIdentifier("e"), .gone)]
        let nonsense = ["", "nonsense", "{}", #"{"other":{"_0":"x"}}"#, #"{"fence":{"_0":"x"}}"#].map { Array($0.utf8) }
        let foreign = nonsense.flatMap { $0 + [UInt8(ascii: "\n")] }
        let bytes = foreign + sent.flatMap(EventLines.line) + foreign
        #expect(bytes.flatMap { lines.append([$0]) } == sent)
        #expect(lines.append(bytes) == sent)
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

    @Test("an event whose name is too long is refused where it is posted")
    func longName() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let heard = Locked<[AutomationEvent]>([])
            _ = EventHub.shared.listen { event in heard.withLock { $0.append(event) } }
            for length in [4096, 4097] {
                let name = String(repeating: "n", count: length)
                postCheckpoint(Checkpoint(name))
                announceElement(ElementIdentifier(name), is: .visible)
            }
            exit(heard.withLock { $0.count } == 2 ? 0 : 1)
        }
        let output = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        let why = "AppAutomation: not posted, because its name is 4097 bytes long and at most 4096 are allowed: "
        #expect(output.components(separatedBy: why).map { $0.prefix(12) } == ["", "checkpoint \"", "element \"nnn"])
    }

    @Test("an element is also in the states that its state implies", arguments: ElementState.allCases)
    func implied(state: ElementState) {
        let implied: [ElementState: Set<ElementState>] = [
            .present: [.present], .visible: [.present, .visible], .tappable: [.present, .visible, .tappable],
            .gone: [.gone],
        ]
        #expect(Set(ElementState.allCases.filter(state.implies)) == implied[state])
    }

    @Test("who listens hears of what is posted from then on, in its order, until it stops")
    func listening() {
        let hub = EventHub()
        let heard = Locked<[AutomationEvent]>([])
        hub.post(.checkpoint(Checkpoint("before")))
        let listener = hub.listen { event in heard.withLock { $0.append(event) } }
        hub.post(.checkpoint(Checkpoint("1")))
        hub.post(.element(ElementIdentifier("e"), .visible))
        hub.stopListening(listener)
        hub.post(.checkpoint(Checkpoint("after")))
        #expect(heard.withLock { $0 } == [.checkpoint(Checkpoint("1")), .element(ElementIdentifier("e"), .visible)])
    }

    @Test("who asks for it hears first of the state that every element is in")
    func elementsAreKept() {
        let hub = EventHub()
        hub.post(.element(ElementIdentifier("e"), .visible))
        hub.post(.element(ElementIdentifier("e"), .gone))
        #expect(hub.heardByANewListener == [.element(ElementIdentifier("e"), .gone)])
        hub.forgetElements(announcedBefore: .distantPast)
        #expect(hub.heardByANewListener == [.element(ElementIdentifier("e"), .gone)])
        hub.forgetElements()
        #expect(hub.heardByANewListener == [])
    }

    @Test(
        "who listens from a fence on hears of nothing before it, and then of the state that every element is in by then"
    )
    func fences() {
        let hub = EventHub()
        hub.post(.element(ElementIdentifier("e"), .visible))
        let heard = Locked<[AutomationEvent]>([])
        _ = hub.listen { _ in }
        let fence = hub.listen(fromFence: true, hearingElements: true) { event in heard.withLock { $0.append(event) } }
        hub.post(.checkpoint(Checkpoint("under way")))
        hub.post(.element(ElementIdentifier("e"), .gone))
        hub.post(.fence(fence - 1))
        #expect(heard.withLock { $0 } == [])
        hub.post(.fence(fence))
        hub.post(.checkpoint(Checkpoint("after")))
        #expect(
            heard.withLock { $0 }
                == [.element(ElementIdentifier("e"), .gone), .fence(fence), .checkpoint(Checkpoint("after"))]
        )
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
    /// What somebody hears at once who asks for the elements' states.
    fileprivate var heardByANewListener: [AutomationEvent] {
        let heard = Locked<[AutomationEvent]>([])
        stopListening(listen(hearingElements: true) { event in heard.withLock { $0.append(event) } })
        return heard.withLock { $0 }
    }
}

@Suite("The end of an app")
struct EndTests {
    @Test("nothing is on the screen of an app that has ended, and its end is heard at any time")
    func elementsAreForgotten() {
        let hub = EventHub()
        hub.post(.element(ElementIdentifier("e"), .visible))
        let early = Locked<[AutomationEvent]>([])
        _ = hub.listen(fromFence: true, hearingElements: true) { event in early.withLock { $0.append(event) } }
        hub.post(.end("over"))
        #expect(early.withLock { $0 } == [.end("over")])
        #expect(hub.heardByANewListener == [.end("over")])
        let late = Locked<[AutomationEvent]>([])
        _ = hub.listen(fromFence: true) { event in late.withLock { $0.append(event) } }
        #expect(late.withLock { $0 } == [.end("over")])
    }
}

@Suite("The socket to the test")
struct TestConnectionTests {
    private struct NoOptions: LaunchOptions {}

    private func error(connectingTo path: String) throws -> String {
        let context = try AutomationContext<NoOptions>(arguments: ["-automationSocket", path])
        do {
            try context.connectToTest()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("nothing is opened where no socket is named")
    func noSocket() throws {
        try AutomationContext<NoOptions>(arguments: []).connectToTest()
    }

    @Test("a socket that is not there is an error that names path and cause")
    func missingSocket() throws {
        #expect(
            try error(connectingTo: "/nowhere/s")
                == "the socket for checkpoints at /nowhere/s cannot be opened: No such file or directory"
        )
    }

    @Test("a path too long for a socket is an error that says how long it may be")
    func longPath() throws {
        let path = "/" + String(repeating: "x", count: 120)
        let message = try error(connectingTo: path)
        #expect(
            message.hasPrefix(
                "the socket for checkpoints at \(path) cannot be opened: the path is 121 bytes long, at most 10"
            )
        )
    }

    @Test("to connect again does no harm, and is heard of by nobody")
    func twice() async throws {
        try await atSocket { path in
            await #expect(processExitsWith: .success) { [path = path as String] in
                let listener = try UnixSocket.listen(at: path)
                let context = try AutomationContext<NoOptions>(arguments: ["-automationSocket", path])
                try context.connectToTest()
                let connection = try #require(UnixSocket.accept(on: listener))
                try context.connectToTest()
                close(listener)
                try context.connectToTest()
                postCheckpoint(Checkpoint("once"))
                let bytes = try #require(UnixSocket.read(connection))
                #expect(bytes == EventLines.line(of: .checkpoint(Checkpoint("once"))))
                exit(0)
            }
        }
    }

    @Test("a fence comes back behind what was posted before, though the main thread is busy")
    func fences() async throws {
        try await atSocket { path in
            await #expect(processExitsWith: .success) { [path = path as String] in
                let listener = try UnixSocket.listen(at: path)
                try AutomationContext<NoOptions>(arguments: ["-automationSocket", path]).connectToTest()
                let connection = try #require(UnixSocket.accept(on: listener))
                postCheckpoint(Checkpoint("before"))
                _ = UnixSocket.send(Array("nonsense\n".utf8) + EventLines.line(of: .fence(5)), to: connection)
                var lines = EventLines()
                var answer: [AutomationEvent] = []
                while answer.count < 2 { answer += lines.append(try #require(UnixSocket.read(connection))) }
                #expect(answer == [.checkpoint(Checkpoint("before")), .fence(5)])
                exit(0)
            }
        }
    }

    private func atSocket(_ body: (String) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try await body(folder.file("s").path)
    }
}
