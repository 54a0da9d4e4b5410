import Foundation
import RetryReport
import TestSupport
import Testing

@Suite("The report's location")
final class ReportLocationTests: FolderTests {
    /// `@` stands for a folder that holds a SwiftPM package in `pkg` and an Xcode build in `derived`.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var environment: [String: String] = [:]
        var arguments = ["@/pkg/.build/x86/debug/ShopPackageTests.xctest"]
        var loadedBundle: String?
        var temporaryFolder: String?
        /// The places, the best first.
        var paths: [String]

        /// A place that the environment asks for.
        static func asked(_ description: String, _ path: String, _ expected: String) -> Case {
            Case(testDescription: description, environment: ["RETRYABLE_REPORT": path], paths: [expected])
        }
    }

    @Test("the report's location depends on the variables and on where the test bundle is", arguments: cases)
    func table(_ row: Case) throws {
        for path in ["pkg/artifacts", "pkg/.build/x86/debug", "pkg/.build/out/Products", "other scratch/debug"] {
            try FileManager.default.createDirectory(at: folder.file(path), withIntermediateDirectories: true)
        }
        for path in ["pkg/.build", "other scratch"] {
            try Data().write(to: folder.file("\(path)/workspace-state.json"))
        }
        func inFolder(_ text: String) -> String { text.replacingOccurrences(of: "@", with: folder.path) }
        let places = ReportLocation.candidates(
            environment: row.environment.mapValues(inFolder),
            arguments: row.arguments.map(inFolder),
            workingDirectory: folder.file("pkg"),
            loadedBundle: row.loadedBundle.map { URL(fileURLWithPath: inFolder($0)) },
            temporaryFolder: row.temporaryFolder.map { URL(fileURLWithPath: $0, isDirectory: true) }
        )
        #expect(places.map(\.standardizedFileURL.path) == row.paths.map { inFolder("\($0)") })
    }

    private static let scratch = "@/pkg/.build/retryable-retries.json"
    private static let resultBundle = "@/derived/Logs/Test/Run.xcresult"

    private static let cases = [
        Case(testDescription: "in SwiftPM's scratch folder", paths: [scratch]),
        Case(
            testDescription: "in the scratch folder of Swift Build",
            arguments: ["@/pkg/.build/out/Products/Debug-linux/ShopTests-test-runner"],
            paths: [scratch]
        ),
        Case(
            testDescription: "in a scratch folder of another name, outside of the package",
            arguments: ["@/other scratch/debug/ShopPackageTests.xctest"],
            paths: ["@/other scratch/retryable-retries.json"]
        ),
        Case(
            testDescription: "named from the working directory",
            arguments: [".build/x86/debug/ShopPackageTests.xctest", "ShopTests.CheckoutTests/testPays"],
            paths: [scratch]
        ),
        Case(
            testDescription: "of the bundle that Xcode's tool is given",
            arguments: ["/Xcode/usr/bin/xctest", "-XCTest", "A/b", "@/pkg/.build/x86/debug/ShopPackageTests.xctest"],
            paths: [scratch]
        ),
        Case(
            testDescription: "of the bundle whose library is run",
            arguments: [
                "/usr/libexec/swiftpm-testing-helper", "--test-bundle-path",
                "@/pkg/.build/x86/debug/Shop.xctest/Contents/MacOS/Shop",
            ],
            paths: [scratch]
        ),
        Case(
            testDescription: "beside an executable that is in no scratch folder",
            arguments: ["@/bin/x"],
            paths: ["@/bin/retryable-retries.json"]
        ),
        Case(testDescription: "no arguments", arguments: [], paths: ["@/retryable-retries.json"]),
        Case(
            testDescription: "where Bazel keeps the outputs of a test, before all other places",
            environment: [
                "TEST_UNDECLARED_OUTPUTS_DIR": "@/outputs", "XCTestConfigurationFilePath": "\(resultBundle)/1",
            ],
            paths: ["@/outputs/retryable-retries.json", "\(resultBundle)/retryable-retries.json", scratch]
        ),
        Case(
            testDescription: "in the result bundle",
            environment: ["XCTestConfigurationFilePath": "\(resultBundle)/Staging/1.xctestconfiguration"],
            paths: ["\(resultBundle)/retryable-retries.json", scratch]
        ),
        Case(
            testDescription: "beside the bundle that an app has loaded, and in the temporary folder of its sandbox",
            environment: ["XCTestConfigurationFilePath": ""],
            arguments: ["@/derived/Shop.app/Shop", "-NSTreatUnknownArgumentsAsOpen", "NO"],
            loadedBundle: "@/derived/Shop.app/PlugIns/ShopTests.xctest",
            temporaryFolder: "/sandbox/tmp",
            paths: ["@/derived/Shop.app/PlugIns/retryable-retries.json", "/sandbox/tmp/retryable-retries.json"]
        ),
        Case(
            testDescription: "with a configuration outside of a result bundle",
            environment: ["XCTestConfigurationFilePath": "/derived/1.xctestconfiguration"],
            paths: [scratch]
        ),
        Case(
            testDescription: "a file that was asked for, and nowhere else",
            environment: [
                "RETRYABLE_REPORT": "/out/flakes.json", "TEST_UNDECLARED_OUTPUTS_DIR": "/outputs",
                "XCTestConfigurationFilePath": "\(resultBundle)/1.xctestconfiguration",
            ],
            temporaryFolder: "/sandbox/tmp",
            paths: ["/out/flakes.json"]
        ),
        .asked("a file under the working directory", "out/flakes.json", "@/pkg/out/flakes.json"),
        .asked("a folder that is there", "artifacts", "@/pkg/artifacts/retryable-retries.json"),
        .asked("a folder that is to be made", "new/", "@/pkg/new/retryable-retries.json"),
        .asked("spaces, percent signs, quotes", "/my out/100%20 \"it\".json", "/my out/100%20 \"it\".json"),
        Case(
            testDescription: "empty variables count as not set",
            environment: ["RETRYABLE_REPORT": "", "TEST_UNDECLARED_OUTPUTS_DIR": ""],
            paths: [scratch]
        ),
    ]
}
