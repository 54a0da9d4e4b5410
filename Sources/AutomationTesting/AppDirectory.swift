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
    private let removal = Locked<Removal?>(nil)
    private let isThere = Locked(true)

    private struct Removal {
        let path: String
        let lock: CInt?
        #if os(macOS) || os(Linux)
            let child: DirectoryRemoval?
        #endif
    }

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
            parent.last += 1
            let path = "\(parent.path)/\(parent.last)"
            guard mkdir(path, 0o700) == 0 else { throw Self.error(path) }
            parent.count += 1
            parents[base] = parent
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

    /// Begins to remove the directory, and the test process's if no other app needs it.
    ///
    /// From here on it is removed even if the test process is killed, so this comes before the end of an app that would
    /// otherwise do it.
    func prepareRemoval() {
        removal.withLock { removal in
            guard removal == nil else { return }
            let parent = Self.parents.withLock { parents in
                parents[base]?.count -= 1
                return parents[base]?.count == 0 ? parents.removeValue(forKey: base) : nil
            }
            let target = parent?.path ?? path
            #if os(macOS) || os(Linux)
                removal = Removal(path: target, lock: parent?.lock, child: DirectoryRemoval(of: target))
            #else
                removal = Removal(path: target, lock: parent?.lock)
            #endif
        }
    }

    /// Removes the directory. One that cannot be removed is named on standard error and fails no test: the test itself has
    /// passed or failed.
    func remove() {
        prepareRemoval()
        let isThere = self.isThere.withLock { isThere in
            defer { isThere = false }
            return isThere
        }
        guard isThere, let removal = removal.withLock({ $0 }) else { return }
        #if os(macOS) || os(Linux)
            removal.child?.finish()
        #endif
        do {
            let manager = FileManager.default
            if manager.fileExists(atPath: removal.path) { try manager.removeItem(atPath: removal.path) }
        } catch {
            writeToStandardError("AutomationTesting: \(removal.path) is left: \(error.localizedDescription)")
        }
        if let lock = removal.lock { close(lock) }
    }

    private static func makeParent(in base: String) throws -> Parent {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? [] where name.hasPrefix(prefix) {
            let process = name.split(separator: ".").dropFirst().first.flatMap { pid_t($0) }
            // The number alone could be another's by now, and another container's processes have numbers of their own.
            guard let process, kill(process, 0) != 0, errno == ESRCH, isAbandoned("\(base)/\(name)") else { continue }
            // Left to the next process, if it fails.
            try? FileManager.default.removeItem(atPath: "\(base)/\(name)")
        }
        let pattern = "\(base)/\(prefix)\(getpid()).XXXXXX"
        var template = Array(pattern.utf8CString)
        guard mkdtemp(&template) != nil else { throw error(pattern) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let lock = open(path, O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else { throw error(path) }
        _ = flock(lock, LOCK_EX | LOCK_NB)  // A file system without locks has the process number alone.
        return Parent(path: path, lock: lock)
    }

    private static func error(_ path: String) -> AutomationError {
        AutomationError(.launch, "\(path) cannot be made: \(SystemError.last)")
    }
}
