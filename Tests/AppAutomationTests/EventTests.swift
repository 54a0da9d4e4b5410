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
        ]
    )
    func wire(event: AutomationEvent) throws {
        let line = try #require(event.line)
        #expect(line.utf8.filter { $0 == UInt8(ascii: "\n") }.count == 1)
        #expect(line.utf8.last == UInt8(ascii: "\n"))
        #expect(AutomationEvent(line: String(line.dropLast())) == event)
    }

    @Test(
        "a line that is none of ours is no event",
        arguments: ["", "checkpoint", "element", "element shiny x", "other x"]
    )
    func foreignLine(line: String) {
        #expect(AutomationEvent(line: line) == nil)
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
        let heard = Locked<[AutomationEvent]>([])
        _ = hub.listen(hearingElements: true) { event in heard.withLock { $0.append(event) } }
        #expect(heard.withLock { $0 } == [.element(ElementIdentifier("e"), .gone)])
        hub.forgetElements()
        _ = hub.listen(hearingElements: true) { event in heard.withLock { $0.append(event) } }
        #expect(heard.withLock { $0.count } == 1)
    }
}

@Suite("The end of an app")
struct EndTests {
    @Test("nothing is on the screen of an app that has ended, and its end is heard at any time")
    func elementsAreForgotten() {
        let hub = EventHub()
        hub.post(.element(ElementIdentifier("e"), .visible))
        hub.post(.end("over"))
        let heard = Locked<[AutomationEvent]>([])
        _ = hub.listen(hearingElements: true) { event in heard.withLock { $0.append(event) } }
        #expect(heard.withLock { $0 } == [.end("over")])
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
        let name = "socket-" + UUID().uuidString.prefix(8)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let listener = try UnixSocket.listen(at: path)
            let context = try AutomationContext<NoOptions>(arguments: ["-automationSocket", path])
            try context.connectToTest()
            let connection = try #require(UnixSocket.accept(on: listener))
            try context.connectToTest()
            close(listener)
            try context.connectToTest()
            postCheckpoint(Checkpoint("once"))
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(connection, &bytes, bytes.count)
            #expect(String(decoding: bytes[..<count], as: UTF8.self) == "checkpoint once\n")
            exit(0)
        }
        try FileManager.default.removeItem(atPath: path)
    }

    @Test("an app ends once the test that it is connected to is gone, and not before")
    func testIsGone() async throws {
        let name = "socket-" + UUID().uuidString.prefix(8)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardOutputContent]) {
            [path = path as String] in
            let listener = try UnixSocket.listen(at: path)
            try AutomationContext<NoOptions>(arguments: ["-automationSocket", path]).connectToTest()
            let connection = try #require(UnixSocket.accept(on: listener))
            postCheckpoint(Checkpoint("still here"))
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(connection, &bytes, bytes.count)
            FileHandle.standardOutput.write(Data(bytes[..<count]))
            close(connection)
            while true { pause() }
        }
        #expect(result.map { String(decoding: $0.standardOutputContent, as: UTF8.self) } == "checkpoint still here\n")
        try FileManager.default.removeItem(atPath: path)
    }
}
