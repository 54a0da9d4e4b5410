import Foundation
import TestSupport
import Testing

/// A place of its own for one run of tests: all that the run makes carries its name.
///
/// Files and processes that are left are found by that name, which every child inherits with its environment, or has in its
/// arguments. The tests look for themselves, without the module.
final class Sandbox: Sendable {
    private let folder: TemporaryFolder
    private let directory: URL

    /// - Parameter name: The name of the folder.
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

    /// All that a run of tests should not leave behind.
    var left: [String] {
        get throws { try leftProcesses + leftFiles }
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

    /// Waits until nothing is left. Processes that clean up after a test program that was killed are no children of this one.
    func waitUntilEmpty() async throws {
        let deadline = Date(timeIntervalSinceNow: 20)
        while try !left.isEmpty, deadline.timeIntervalSinceNow > 0 {
            try await Task.sleep(nanoseconds: 5_000_000)
        }
    }
}

/// Tests that each have a sandbox of their own.
class SandboxedTests {
    let sandbox: Sandbox
    let path: String

    init() throws {
        sandbox = try Sandbox()
        path = sandbox.path
    }
}
