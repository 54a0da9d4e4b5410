import Foundation

/// Where the report of a run goes.
package struct ReportLocation: Hashable, Sendable {
    /// The name of the report's file, unless `RETRYABLE_REPORT` names another.
    package static let fileName = "retryable-retries.json"

    package let url: URL

    /// Whether the environment names the place: then a run must not go on if it cannot be written.
    package let wasAskedFor: Bool

    /// The places that the report may go to, the best first: the file or folder that `RETRYABLE_REPORT` names, and then no
    /// other; else the `.xcresult` bundle that Xcode says it writes; the folder of the test bundle, which on Linux is the
    /// executable; and where a sandbox may keep tests from both, the temporary folder.
    ///
    /// - Parameters:
    ///   - environment: The process's environment.
    ///   - arguments: The process's arguments, the first of which is its executable.
    ///   - workingDirectory: What relative paths are relative to.
    ///   - loadedBundle: Where the test bundle is that this process has loaded; `nil` if only the arguments tell of it.
    ///   - temporaryFolder: The temporary folder; `nil` where tests are in no sandbox.
    ///   - isDirectory: Whether a folder stands at a path.
    package static func candidates(
        environment: [String: String],
        arguments: [String] = CommandLine.arguments,
        workingDirectory: URL,
        loadedBundle: URL? = Self.loadedBundle,
        temporaryFolder: URL? = Self.temporaryFolder,
        isDirectory: (String) -> Bool = Self.isDirectory
    ) -> [ReportLocation] {
        if let path = EnvironmentVariable.report.value(in: environment) {
            let url = URL(fileURLWithPath: path, relativeTo: workingDirectory).absoluteURL
            let isFolder = path.hasSuffix("/") || isDirectory(url.path)
            return [ReportLocation(url: isFolder ? url.appendingPathComponent(fileName) : url, wasAskedFor: true)]
        }
        let executable = URL(fileURLWithPath: arguments.first ?? "", relativeTo: workingDirectory)
        let tests = loadedBundle ?? testBundle(in: arguments, workingDirectory) ?? executable
        let folders = [resultBundle(of: environment), tests.deletingLastPathComponent(), temporaryFolder]
        return folders.compactMap(\.self).map { folder in
            ReportLocation(url: folder.appendingPathComponent(fileName).absoluteURL, wasAskedFor: false)
        }
    }

    #if canImport(Darwin)
        package static var loadedBundle: URL? {
            Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }?.bundleURL
        }
        package static var temporaryFolder: URL? { FileManager.default.temporaryDirectory }
    #else
        package static var loadedBundle: URL? { nil }
        package static var temporaryFolder: URL? { nil }
    #endif

    /// The first test bundle that the arguments name: where Xcode's tools run the tests, they are not in the
    /// executable but in a bundle that it is given.
    private static func testBundle(in arguments: [String], _ workingDirectory: URL) -> URL? {
        arguments.lazy.filter { !$0.hasPrefix("-") }.compactMap { path(in: $0, endingWith: ".xctest") }.first
            .map { URL(fileURLWithPath: $0, relativeTo: workingDirectory) }
    }

    /// The first folder on the way to Xcode's configuration of the tests that is a result bundle.
    static func resultBundle(of environment: [String: String]) -> URL? {
        environment["XCTestConfigurationFilePath"].flatMap { path(in: $0, endingWith: ".xcresult") }
            .map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// The path to the first component that ends like this.
    private static func path(in path: String, endingWith ending: String) -> String? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        return components.firstIndex { $0.hasSuffix(ending) }.map { components[...$0].joined(separator: "/") }
    }

    /// Whether a folder stands at `path`.
    package static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
