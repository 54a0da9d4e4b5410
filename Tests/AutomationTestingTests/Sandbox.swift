import Foundation
import TestSupport
import Testing

/// A place of its own for one run of tests: all that the run makes carries its name.
///
/// What is left is looked for by that name, which every child inherits with its environment, and which stands in the
/// arguments of those that get another environment. It is the tests' own look, not the module's.
final class Sandbox: Sendable {
    private let folder: TemporaryFolder
    private let directory: URL

    /// - Parameter name: What the place's own folder is called.
    init(_ name: String = "sandbox") throws {
        folder = try TemporaryFolder()
        directory = folder.file(name)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        folder.remove()
    }

    var path: String { directory.path }

    /// Makes this process, a test program, run at the sandbox.
    static func enter(_ path: String) {
        setenv("TMPDIR", path, 1)
    }

    /// As ``enter(_:)``, by a user to whom permissions matter, as they do not to the administrator that tests may run as.
    static func enterAsSomebody(_ path: String) throws {
        enter(path)
        guard getuid() == 0 else { return }
        try FileManager.default.setAttributes([.ownerAccountID: 65534], ofItemAtPath: path)
        guard setuid(65534) == 0 else { throw SystemError.last }
    }

    /// Files, folders and sockets.
    var leftFiles: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: path) }
    }

    /// Processes that are not zombies, as `identifier arguments`.
    var leftProcesses: [String] {
        get throws {
            let mark = Data(folder.url.lastPathComponent.utf8)
            let identifiers = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init)
            return identifiers.compactMap { identifier in
                guard identifier != getpid(),
                    let environment = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(identifier)/environ")),
                    let arguments = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(identifier)/cmdline")),
                    environment.range(of: mark) != nil || arguments.range(of: mark) != nil
                else { return nil }
                return "\(identifier) " + String(decoding: arguments.map { $0 == 0 ? 32 : $0 }, as: UTF8.self)
            }
        }
    }

    /// Waits for what nobody can be told of: those who clean up after a test program that died are no children of ours.
    func waitUntilEmpty() async throws {
        let deadline = Date(timeIntervalSinceNow: 20)
        while try !(leftProcesses.isEmpty && leftFiles.isEmpty), deadline.timeIntervalSinceNow > 0 {
            try await Task.sleep(nanoseconds: 5_000_000)
        }
    }
}
