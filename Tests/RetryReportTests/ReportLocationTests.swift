import Foundation
import RetryReport
import Testing

@Suite("The report's location")
struct ReportLocationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var environment: [String: String] = [:]
        var arguments = ["/pkg/.build/debug/ShopPackageTests.xctest"]
        var loadedBundle: String?
        var temporaryFolder: String?
        var path: String
        /// Where it goes if that place cannot take it.
        var others: [String] = []
        var wasAskedFor = false
    }

    @Test("is as the table says", arguments: cases)
    func table(_ row: Case) {
        let locations = ReportLocation.candidates(
            environment: row.environment,
            arguments: row.arguments,
            workingDirectory: URL(fileURLWithPath: "/pkg", isDirectory: true),
            loadedBundle: row.loadedBundle.map { URL(fileURLWithPath: $0) },
            temporaryFolder: row.temporaryFolder.map { URL(fileURLWithPath: $0, isDirectory: true) },
            isDirectory: { $0 == "/pkg/artifacts" }
        )
        #expect(locations.map(\.url.standardizedFileURL.path) == [row.path] + row.others)
        #expect(locations.allSatisfy { $0.wasAskedFor == row.wasAskedFor })
    }

    private static let bundle = "/derived/Logs/Test/Run.xcresult"

    private static let cases = [
        Case(testDescription: "beside the executable", path: "/pkg/.build/debug/retryable-retries.json"),
        Case(
            testDescription: "beside the executable, named from the working directory",
            arguments: [".build/debug/ShopPackageTests.xctest", "ShopTests.CheckoutTests/testPays"],
            path: "/pkg/.build/debug/retryable-retries.json"
        ),
        Case(
            testDescription: "beside the bundle that Xcode's tool is given",
            arguments: ["/Xcode/usr/bin/xctest", "-XCTest", "A/b", "/pkg/.build/debug/ShopPackageTests.xctest"],
            path: "/pkg/.build/debug/retryable-retries.json"
        ),
        Case(
            testDescription: "beside the bundle whose library is run",
            arguments: [
                "/usr/libexec/swiftpm-testing-helper", "--test-bundle-path",
                "/pkg/.build/debug/Shop.xctest/Contents/MacOS/Shop",
            ],
            path: "/pkg/.build/debug/retryable-retries.json"
        ),
        Case(
            testDescription: "an executable of another kind",
            arguments: ["/bin/x"],
            path: "/bin/retryable-retries.json"
        ),
        Case(testDescription: "no arguments", arguments: [], path: "/retryable-retries.json"),
        Case(
            testDescription: "in the result bundle",
            environment: ["XCTestConfigurationFilePath": "\(bundle)/Staging/1.xctestconfiguration"],
            path: "\(bundle)/retryable-retries.json",
            others: ["/pkg/.build/debug/retryable-retries.json"]
        ),
        Case(
            testDescription:
                "beside the test bundle that an app has loaded, and in the temporary folder of its sandbox",
            environment: ["XCTestConfigurationFilePath": ""],
            arguments: ["/derived/Shop.app/Shop", "-NSTreatUnknownArgumentsAsOpen", "NO"],
            loadedBundle: "/derived/Shop.app/PlugIns/ShopTests.xctest",
            temporaryFolder: "/sandbox/tmp",
            path: "/derived/Shop.app/PlugIns/retryable-retries.json",
            others: ["/sandbox/tmp/retryable-retries.json"]
        ),
        Case(
            testDescription: "a configuration outside of a result bundle",
            environment: ["XCTestConfigurationFilePath": "/derived/1.xctestconfiguration"],
            path: "/pkg/.build/debug/retryable-retries.json"
        ),
        Case(
            testDescription: "a file that was asked for, and nowhere else",
            environment: [
                "RETRYABLE_REPORT": "/out/flakes.json",
                "XCTestConfigurationFilePath": "\(bundle)/1.xctestconfiguration",
            ],
            temporaryFolder: "/sandbox/tmp",
            path: "/out/flakes.json",
            wasAskedFor: true
        ),
        Case(
            testDescription: "a file under the working directory",
            environment: ["RETRYABLE_REPORT": "out/flakes.json"],
            path: "/pkg/out/flakes.json",
            wasAskedFor: true
        ),
        Case(
            testDescription: "a folder that is there",
            environment: ["RETRYABLE_REPORT": "artifacts"],
            path: "/pkg/artifacts/retryable-retries.json",
            wasAskedFor: true
        ),
        Case(
            testDescription: "a folder that is to be made",
            environment: ["RETRYABLE_REPORT": "new/"],
            path: "/pkg/new/retryable-retries.json",
            wasAskedFor: true
        ),
        Case(
            testDescription: "an empty variable counts as not set",
            environment: ["RETRYABLE_REPORT": ""],
            path: "/pkg/.build/debug/retryable-retries.json"
        ),
        Case(
            testDescription: "spaces, percent signs and quotes are characters like any other",
            environment: ["RETRYABLE_REPORT": "/my out/100%20 \"it\".json"],
            path: "/my out/100%20 \"it\".json",
            wasAskedFor: true
        ),
    ]
}
