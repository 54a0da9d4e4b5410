import Foundation
import Groundwork
import TestSupport
import Testing

@testable import AutomationTesting

/// An app that the test starts by other means, as XCUITest does.
@Suite("An app that something else launches")
struct ConnectionTests {
    private func start(_ connection: AppConnection) throws -> ChildProcess {
        let environment = ProcessInfo.processInfo.environment.merging(connection.environment) { $1 }
        return try .running([Checkout.program("UnrulyApp").path], environment)
    }

    @Test("a test waits for its events, and sends it lines; it lives on without the test, and nothing is left behind")
    func connected() async throws {
        var connection: AppConnection? = try AppConnection()
        let path = try #require(connection?.directory.path)
        var app: ChildProcess?
        try await connection?.waitForCheckpoint(Checkpoint("ready")) { app = try connection.map(start) }
        await connection?.waitForCheckpoint(.refreshed) { connection?.send("post refreshed") }
        connection?.send("announce row visible")
        await connection?.waitForElement(.row, toBe: .present)
        connection = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        try await Task.sleep(nanoseconds: 100_000_000)
        let lives = try #require(app)
        #expect(waitpid(lives.identifier, nil, WNOHANG) == 0)
        lives.signalGroup(SIGKILL)
        #expect(try lives.waitForEnd {} == .signal(SIGKILL))
    }

    @Test("nobody else may enter the directory with the socket, and a time-out says that the app never connected")
    func neverConnected() throws {
        let connection = try AppConnection()
        let failure = connection.awaitableEvents.failure(for: .checkpoint(.refreshed), timeout: 0.01) {}
        #expect(failure?.contains("the app never connected to the test") == true)
        let attributes = try FileManager.default.attributesOfItem(atPath: connection.directory.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("another user cannot connect")
    func anotherUser() async throws {
        let connection = try AppConnection()
        let socket = connection.directory.socket
        await #expect(processExitsWith: .exitCode(3)) { [socket = socket as String] in
            // Only the administrator can become another user; by everybody else the permissions are tested above.
            guard getuid() == 0 else { exit(3) }
            guard setuid(65534) == 0 else { exit(1) }
            do {
                _ = try UnixSocket.connect(to: socket)
            } catch {
                exit("\(error)".hasSuffix("Permission denied") ? 3 : 2)
            }
        }
    }
}
