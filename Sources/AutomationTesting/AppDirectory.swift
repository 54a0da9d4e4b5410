import AppAutomation
import Foundation
import Groundwork

/// The directory of one app, which nobody else may enter, below one that the test process has while any app needs it.
///
/// The test process holds a lock on the latter. One without a lock, which a killed process has left, is removed by the
/// next process.
final class AppDirectory: Sendable {
    private struct Parent {
        let path: String
        let lock: CInt
        var count = 0
        var last = 0
    }

    private static let prefix = "app-automation."
    private static let parents = Locked<[String: Parent]>([:])

    let path: String
    private let base: String
    private let isThere = Locked(true)

    /// - Parameter forConnection: True for an app that something else launches.
    init(forConnection: Bool = false) throws {
        var base = FileManager.default.temporaryDirectory.path
        #if targetEnvironment(simulator)
            base = "/tmp"  // The runner's own folder gives a path of 177 bytes where 103 are allowed.
        #elseif os(macOS)
            if forConnection { base = NSHomeDirectory() }  // The only place that the sandbox of UI tests allows.
        #endif
        self.base = base
        path = try Self.parents.withLock { parents in
            var parent = try parents[base] ?? Self.makeParent(in: base)
            parent.count += 1
            parent.last += 1
            let path = "\(parent.path)/\(parent.last)"
            parents[base] = parent
            guard mkdir(path, 0o700) == 0 else { throw Self.error(path) }
            return path
        }
    }

    deinit {
        remove()
    }

    /// The path of the socket that the app connects to.
    var socket: String { "\(path)/s" }

    func listen() throws -> CInt {
        try UnixSocket.listen(at: socket)
    }

    /// Removes the directory. Anything that cannot be removed is named on standard error and fails no test: the test itself
    /// has passed or failed.
    func remove() {
        let isThere = self.isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        guard isThere else { return }
        if let problem = Self.remove(path) {
            writeToStandardError("AutomationTesting: \(path) is left: \(problem)")
        }
        Self.parents.withLock { parents in
            parents[base]?.count -= 1
            guard let parent = parents[base], parent.count == 0 else { return }
            parents[base] = nil
            if rmdir(parent.path) != 0, errno != ENOTEMPTY {
                writeToStandardError("AutomationTesting: \(parent.path) is left: \(SystemError.last)")
            }
            close(parent.lock)
        }
    }

    private static func makeParent(in base: String) throws -> Parent {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
            let process = name.split(separator: ".").dropFirst().first.flatMap { pid_t($0) }
            // The number alone could be another's by now, and another container's processes have numbers of their own.
            guard let process, kill(process, 0) != 0, errno == ESRCH, isAbandoned("\(base)/\(name)") else { continue }
            _ = remove("\(base)/\(name)")
        }
        let pattern = "\(base)/\(prefix)\(getpid()).XXXXXX"
        var template = Array(pattern.utf8CString)
        guard mkdtemp(&template) != nil else { throw error(pattern) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let lock = open(path, O_RDONLY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw error(path) }
        return Parent(path: path, lock: lock)
    }

    private static func error(_ path: String) -> AutomationError {
        AutomationError(.launch, "\(path) cannot be made: \(SystemError.last)")
    }

    /// Removes a directory, also one with folders that the app has locked.
    ///
    /// - Returns: The reason why it is left; `nil` if it is gone.
    private static func remove(_ path: String) -> String? {
        do {
            try FileManager.default.removeItem(atPath: path)
            return nil
        } catch {
            #if os(macOS) || os(Linux)
                let null = open("/dev/null", O_RDWR | O_CLOEXEC)
                defer { close(null) }
                let mending = try? ChildProcess(
                    ["/bin/chmod", "-R", "u+rwX", path],
                    environment: [:],
                    streams: [null, null, null]
                )
                _ = mending?.waitForEnd {}
                guard (try? FileManager.default.removeItem(atPath: path)) == nil else { return nil }
            #endif
            return error.localizedDescription
        }
    }
}
