import Foundation

/// Where this package's sources and programs are.
package enum Checkout {
    /// The package's folder.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A program of this package. It stands beside the test bundle, wherever that is on this system; or in the folder that
    /// `PROGRAMS` names, so that one that was built with a sanitizer can be put in its place.
    package static func program(_ name: String) -> URL {
        if let folder = ProcessInfo.processInfo.environment["PROGRAMS"] {
            return URL(fileURLWithPath: folder).appendingPathComponent(name)
        }
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
        var folder = URL(fileURLWithPath: bundle).resolvingSymlinksInPath()
        repeat { folder.deleteLastPathComponent() } while folder.path.contains(".xctest")
        return folder.appendingPathComponent(name)
    }
}
