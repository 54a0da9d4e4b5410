import AppAutomation
import Foundation
import Groundwork

/// The directory of one app, closed to other users.
///
/// A child of the test process removes it, on demand or once the test process and every app that uses it have ended, in
/// whatever way. On other systems than macOS and Linux, a test process that is killed leaves it.
final class AppDirectory: Sendable {
    let path: String
    /// The other end of the child's input. An app that uses the directory holds it as well.
    let keeper: CInt
    private let isThere = Locked(true)
    #if os(macOS) || os(Linux)
        /// `nil` if it could not be started: then only the test process removes the directory.
        private let child: ChildProcess?
    #endif

    /// - Parameter forConnection: True for an app that something else launches.
    init(forConnection: Bool = false) throws {
        var base = FileManager.default.temporaryDirectory.path
        // The path of the socket may have 103 bytes. In a simulator, the runner's own folder gives 177, and a CI's workspace may, too.
        if base.utf8.count > 72 { base = "/tmp" }
        #if os(macOS)
            if forConnection { base = NSHomeDirectory() }  // The only place that the sandbox of UI tests allows.
        #endif
        let name = String(UInt64.random(in: 0 ... .max), radix: 36)
        path = "\(base)/app-automation.\(name)"
        let (input, keeper) = try UnixSocket.pair()
        defer { close(input) }
        self.keeper = keeper
        #if os(macOS) || os(Linux)
            // Started before the directory is made. It waits for a line or the end of its input; `chmod` is for folders that
            // an app has locked.
            let script = #"""
                exec > /dev/null 2>&1
                read line
                rm -rf -- "$0" || { chmod -R u+rwX -- "$0"; rm -rf -- "$0"; }
                """#
            let command = ["/bin/sh", "-c", script, path]
            let (environment, streams) = (["PATH": "/usr/bin:/bin"], [input, input, input])
            // Without it, the directory of a test that is killed stays.
            child = try? ChildProcess(command, environment: environment, streams: streams, closesOthers: true)
        #endif
        guard mkdir(path, 0o700) == 0 else {
            throw AutomationError(.launch, "\(path) cannot be made: \(SystemError.last)")
        }
    }

    deinit { remove() }

    var socket: String { "\(path)/s" }

    /// Removes the directory. One that cannot be removed is named on standard error and fails no test: the test itself has
    /// passed or failed.
    func remove() {
        guard isThere.withLock({ exchange(&$0, with: false) }) else { return }
        defer { close(keeper) }
        #if os(macOS) || os(Linux)
            _ = UnixSocket.send([UInt8(ascii: "\n")], to: keeper)
            _ = try? child?.waitForEnd {}  // an error means that it has ended, and that somebody else has waited for it
        #endif
        do {
            let manager = FileManager.default
            if manager.fileExists(atPath: path) { try manager.removeItem(atPath: path) }
        } catch {
            writeToStandardError("AutomationTesting: \(path) is left: \(error.localizedDescription)")
        }
    }
}
