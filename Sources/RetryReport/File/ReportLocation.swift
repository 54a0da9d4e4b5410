import Foundation

/// Where the report of a run goes.
package struct ReportLocation: Hashable, Sendable {
    /// What the report is called unless somebody names a file of their own.
    package static let fileName = "retryable-retries.json"

    package let url: URL

    /// Whether the environment names the place: then a run must not go on if it cannot be written.
    package let wasAskedFor: Bool

    /// The file or folder that `RETRYABLE_REPORT` names; else the `.xcresult` bundle that Xcode says it writes; else the
    /// folder of the test executable.
    package static func resolve(
        environment: [String: String],
        executable: URL,
        workingDirectory: URL,
        isDirectory: (String) -> Bool = Self.isDirectory
    ) -> ReportLocation {
        if let path = environment["RETRYABLE_REPORT"], !path.isEmpty {
            let url = URL(fileURLWithPath: path, relativeTo: workingDirectory).absoluteURL
            let isFolder = path.hasSuffix("/") || isDirectory(url.path)
            return ReportLocation(url: isFolder ? url.appendingPathComponent(fileName) : url, wasAskedFor: true)
        }
        let folder = resultBundle(of: environment) ?? executable.deletingLastPathComponent()
        return ReportLocation(url: folder.appendingPathComponent(fileName).absoluteURL, wasAskedFor: false)
    }

    /// The first folder on the way to Xcode's configuration of the tests that is a result bundle.
    private static func resultBundle(of environment: [String: String]) -> URL? {
        guard let path = environment["XCTestConfigurationFilePath"] else { return nil }
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let index = components.firstIndex(where: { $0.hasSuffix(".xcresult") }) else { return nil }
        return URL(fileURLWithPath: components[...index].joined(separator: "/"), isDirectory: true)
    }

    /// Whether a folder stands at `path`.
    package static func isDirectory(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
