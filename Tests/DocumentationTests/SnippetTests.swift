import Foundation
import Testing

@Suite("Documentation")
struct SnippetTests {
    @Test("every snippet in README and in the documentation compiles", arguments: Snippet.all)
    func compiles(snippet: Snippet) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snippet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let file = folder.appendingPathComponent("Snippet.swift")
        try snippet.file.write(to: file, atomically: true, encoding: .utf8)

        var arguments = [
            "-typecheck", "-swift-version", snippet.kind == .manifest ? "5" : "6", "-parse-as-library", file.path,
        ]
        if snippet.kind == .manifest {
            arguments += ["-I", try toolchainFolder("pm/ManifestAPI"), "-package-description-version", "6.0.0"]
        } else {
            arguments += [Snippet.package.appendingPathComponent("Fixtures/Scenarios/Snippets/Surroundings.swift").path]
            arguments += ["-I", modules.path]
        }
        let result = try run("swiftc", arguments)
        #expect(result.status == 0, "\(snippet.testDescription)\n\(snippet.file)\n\(result.output)")
    }

    @Test("snippets are found")
    func found() {
        #expect(Snippet.all.count > 5)
        let text = "a\n```swift\nlet b = 1\n```\n```sh\nls\n```\n"
        let snippets = Snippet.snippets(in: text, of: Snippet.package.appendingPathComponent("A.md"))
        #expect(snippets.map(\.code) == ["let b = 1\n"])
        #expect(snippets.map(\.line) == [2])
    }

    /// Where the build that this test is part of has put its modules.
    private var modules: URL {
        let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return executable.deletingLastPathComponent().appendingPathComponent("Modules")
    }

    private func toolchainFolder(_ name: String) throws -> String {
        let info = try run("swiftc", ["-print-target-info"]).output
        let json = try JSONSerialization.jsonObject(with: Data(info.utf8)) as? [String: Any]
        let paths = try #require(json?["paths"] as? [String: Any])
        return "\(try #require(paths["runtimeResourcePath"] as? String))/\(name)"
    }

    private func run(_ command: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
