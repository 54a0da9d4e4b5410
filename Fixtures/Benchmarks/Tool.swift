import Foundation

/// A program that is run to its end.
struct Tool {
    private let url: URL

    /// `retries`, if it was built, too: it stands beside this program.
    static let retries = Tool(
        at: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("retries")
    )

    /// What to say if it was not.
    static let lacksRetries = "no retries beside this program: swift build -c release --product retries"

    /// What a shell would find by this name.
    static func named(_ name: String) -> Tool? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return path.lazy.compactMap { Tool(at: URL(fileURLWithPath: "\($0)/\(name)")) }.first
    }

    private init?(at url: URL) {
        guard FileManager.default.isExecutableFile(atPath: url.path) else { return nil }
        self.url = url
    }

    /// A tool that did not do what it was asked to.
    struct Failed: Error, CustomStringConvertible {
        var tool: String
        var status: Int32
        var description: String { "\(tool) ended with \(status)" }
    }

    func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(tool: url.lastPathComponent, status: process.terminationStatus)
        }
    }
}
