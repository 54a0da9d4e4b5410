import AppAutomation
import Foundation
import Groundwork

/// A connection to an app, which waits for what the app posts and announces.
///
/// Made by itself, it is for an app that something else launches, such as `XCUIApplication`, which gets the connection's
/// environment:
///
/// ```swift
/// let connection = try AppConnection()
/// app.launchEnvironment.merge(connection.environment) { $1 }
/// connection.waitForCheckpoint(.ready) { app.launch() }
/// ```
///
/// The app has to share the machine's folders, as one on the simulator does, and to connect: an `AppLauncher` does, others
/// call `connectToTest()`. Only one app can connect. An app that a test launches by itself is an ``AppProcess``.
public class AppConnection: EventWaiting, @unchecked Sendable {
    // Safe to send: nothing is stored here or in AppProcess, the one subclass, but constants that are Sendable.

    /// The end of an app.
    public enum ExitStatus: Hashable, Sendable, CustomStringConvertible {
        /// By itself, with this code.
        case exited(code: Int32)
        /// By this signal.
        case killed(signal: Int32)

        init(_ ending: ProcessEnding) {
            switch ending {
            case .exitCode(let code): self = .exited(code: code)
            case .signal(let signal): self = .killed(signal: signal)
            }
        }

        /// The end in the words of a failure's message.
        public var description: String {
            switch self {
            case .exited(let code): "the app exited with code \(code)"
            case .killed(let signal): "the app was killed by signal \(signal)"
            }
        }
    }

    /// The variables to add to the app's environment.
    public let environment: [String: String]
    let link: AppLink
    let directory: AppDirectory
    /// The test that the app belongs to; `nil` if it was made without one.
    private let scope: TestScope?

    /// Makes a connection for an app that something else launches.
    ///
    /// - Throws: An `AutomationError` if no socket can be made, and always on a device, which shares no folder with its
    ///   tests.
    public convenience init() throws {
        #if (os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)) && !targetEnvironment(simulator)
            throw AutomationError(.launch, "an app on a device shares no folder with its test: use a simulator")
        #else
            let directory = try AppDirectory(forConnection: true)
            let link = try AppLink(listener: UnixSocket.listen(at: directory.socket))
            self.init([AutomationVariable.socket: directory.socket], link, directory)
        #endif
    }

    init(_ environment: [String: String], _ link: AppLink, _ directory: AppDirectory) {
        (self.environment, self.link, self.directory) = (environment, link, directory)
        let current = TestScope.current
        scope = [.xctest, .unknown].contains(current.reporter) ? current : nil
        scope?.endWithTest(self)
    }

    deinit { link.stop() }

    /// Ends all that was made for the app, at the end of its test.
    final func finish() {
        let hadEnded = link.status != nil
        end()
        if !hadEnded { link.endTest() }
        directory.remove()
        for output in link.outputs { output.finish() }
    }

    /// Ends the connection.
    func end() {
        link.stop()
        link.stopped.wait()
    }

    /// The app's events.
    public var awaitableEvents: EventSource { EventSource(link: link, scope: scope?.orCurrent ?? .current) }

    /// Sends a line to the app, which reads it on its standard input.
    ///
    /// A line that the app has not read yet is kept for it, up to what the system allows. The test fails at the caller's
    /// line if the app has ended, never connected, or reads nothing for `timeout` seconds while no more is kept; after a
    /// line that was cut, no other is sent.
    public func send(_ text: String, timeout: TimeInterval = 30, file: StaticString = #filePath, line: UInt = #line) {
        let scope = awaitableEvents.scope
        link.receive()
        let bytes = Array("\(text)\n".utf8)
        let sent = link.input.withLock { $0.map { UnixSocket.send(bytes, to: $0, patience: timeout) } }
        if sent == bytes.count { return }
        // The rest of a line that was cut would be taken for the beginning of the next one.
        if let sent, sent > 0 { link.closeInput() }
        let cause = sent == nil ? link.status?.description ?? "the app takes no lines" : "the app does not read"
        let remark = link.remark.map { "\n\($0)" } ?? ""
        scope.fail("\"\(text.prefix(60))\" was not sent: \(cause)\(remark)", file, line)
    }
}
