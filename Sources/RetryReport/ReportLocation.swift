import Foundation
import Groundwork

/// The places for the report of a run.
package enum ReportLocation {
    /// The name of the report's file, unless `RETRYABLE_REPORT` names another.
    package static let fileName = "retryable-retries.json"

    /// The places that the report may go to, the best first.
    ///
    /// If `RETRYABLE_REPORT` names a file or a folder, it is the only place. Otherwise, as far as they exist: the
    /// folder that Bazel keeps for a test's outputs; the `.xcresult` bundle that Xcode names; SwiftPM's scratch folder, or,
    /// where the tests are in none, the folder of the test bundle, which on Linux is the executable; and, because a sandbox
    /// may keep tests from all of these, the temporary folder.
    ///
    /// - Parameters:
    ///   - loadedBundle: The test bundle that this process has loaded; `nil` if only the arguments may name one.
    ///   - temporaryFolder: The temporary folder; `nil` where tests do not run in a sandbox.
    package static func candidates(
        environment: [String: String],
        arguments: [String] = CommandLine.arguments,
        workingDirectory: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true),
        loadedBundle: URL? = Self.loadedBundle,
        temporaryFolder: URL? = Self.temporaryFolder
    ) -> [URL] {
        if let path = EnvironmentVariable.report.value(in: environment) {
            let url = URL(fileURLWithPath: path, relativeTo: workingDirectory).absoluteURL
            let isFolder = path.hasSuffix("/") || FilePath(url.path).kind == S_IFDIR
            return [isFolder ? url.appendingPathComponent(fileName) : url]
        }
        let outputs = environment["TEST_UNDECLARED_OUTPUTS_DIR"].flatMap { path in
            path.isEmpty ? nil : URL(fileURLWithPath: path, relativeTo: workingDirectory)
        }
        // Xcode's tools run the tests of a bundle that they are given.
        let bundle = arguments.lazy.filter { !$0.hasPrefix("-") }.compactMap { path(in: $0, endingWith: ".xctest") }
            .first
        let executable = URL(fileURLWithPath: bundle ?? arguments.first ?? "", relativeTo: workingDirectory)
        let folder = (loadedBundle ?? executable).absoluteURL.deletingLastPathComponent()
        let scratch = FilePath(folder.path).nearestFolder(holding: "workspace-state.json")
        let places = [
            outputs, resultBundle(of: environment), scratch.map { URL(fileURLWithPath: $0) } ?? folder, temporaryFolder,
        ]
        return places.compactMap { $0?.appendingPathComponent(fileName).absoluteURL }
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

    /// The result bundle in the path of Xcode's test configuration.
    static func resultBundle(of environment: [String: String]) -> URL? {
        environment["XCTestConfigurationFilePath"].flatMap { path(in: $0, endingWith: ".xcresult") }
            .map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// The path to the first component that ends like this.
    private static func path(in path: String, endingWith ending: String) -> String? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        return components.firstIndex { $0.hasSuffix(ending) }.map { components[...$0].joined(separator: "/") }
    }
}
