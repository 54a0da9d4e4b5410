import XCTest

/// What Xcode tells its tests, and what they may write: for a person to read in the log, and attached.
final class Surroundings: XCTestCase {
    func testSurroundings() {
        let environment = ProcessInfo.processInfo.environment
        var lines = environment.filter { $0.key.contains("XCT") || $0.key.hasPrefix("RETRYABLE_") }
            .map { "environment: \($0.key)=\($0.value)" }.sorted()
        lines.append("arguments: \(CommandLine.arguments)")
        lines.append("test bundle: \(Bundle(for: Surroundings.self).bundlePath)")
        lines.append("temporary folder: \(NSTemporaryDirectory())")

        let configuration = environment["XCTestConfigurationFilePath"] ?? ""
        if let end = configuration.range(of: ".xcresult")?.upperBound {
            lines.append("result bundle: \(canWrite(String(configuration[..<end])))")
        } else {
            lines.append("result bundle: the tests are not told of any")
        }
        let besideBundle = Bundle(for: Surroundings.self).bundleURL.deletingLastPathComponent().path
        lines.append("beside the test bundle: \(canWrite(besideBundle))")

        for line in lines { print("InXcode: \(line)") }
        #if canImport(ObjectiveC)
            let text = lines.joined(separator: "\n")
            MainActor.assumeIsolated {
                let attachment = XCTAttachment(string: text)
                attachment.name = "surroundings"
                attachment.lifetime = .keepAlways
                XCTContext.runActivity(named: "Surroundings") { $0.add(attachment) }
            }
        #endif
    }

    private func canWrite(_ folder: String) -> String {
        let file = "\(folder)/retryable-was-here"
        guard FileManager.default.createFile(atPath: file, contents: nil) else { return "\(folder) cannot be written" }
        try? FileManager.default.removeItem(atPath: file)
        return "\(folder) can be written"
    }
}

/// Prints which session Xcode says that a class runs in: whether clones of a simulator share one is not known.
func printSession(of testClass: XCTestCase.Type) {
    let session = ProcessInfo.processInfo.environment["XCTestSessionIdentifier"] ?? "none"
    print("InXcode: \(testClass) runs in process \(ProcessInfo.processInfo.processIdentifier), session \(session)")
}
