// swift-tools-version: 6.2
import PackageDescription

/// Files with exit tests that capture values, which Swift 6.2 cannot compile.
func exitTests(_ files: String...) -> [String] {
    #if compiler(>=6.3)
        []
    #else
        files
    #endif
}

let package = Package(
    name: "Retryable",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "Retryable", targets: ["Retryable"]),
        .library(name: "RetryableTesting", targets: ["RetryableTesting"]),
        .library(name: "AppAutomation", targets: ["AppAutomation"]),
        .library(name: "AutomationTesting", targets: ["AutomationTesting"]),
        .executable(name: "retries", targets: ["retries"]),
    ],
    targets: [
        // What the standard library lacks, for all of the below.
        .target(name: "Groundwork"),
        .testTarget(name: "GroundworkTests", dependencies: ["Groundwork", "TestSupport"]),
        // What tests share: a program run as a child process, a temporary folder, the places of this package.
        .target(name: "TestSupport", dependencies: ["Groundwork", "RetryReport"], path: "Tests/Support"),

        // What flaked, as CI reads it.
        .target(name: "RetryReport", dependencies: ["Groundwork"]),
        .executableTarget(name: "ReportWriter", dependencies: ["RetryReport"], path: "Fixtures/Scenarios/ReportWriter"),
        .testTarget(
            name: "RetryReportTests",
            dependencies: ["RetryReport", "ReportWriter", "TestSupport"],
            exclude: exitTests("RunIdentityTests.swift")
        ),

        // Marks, sections and what a failure becomes; no test framework.
        .target(name: "RetryCore", dependencies: ["Groundwork", "RetryReport"]),
        .testTarget(
            name: "RetryCoreTests",
            dependencies: ["RetryCore", "TestSupport"],
            exclude: exitTests("ProcessContextTests.swift")
        ),

        // XCTest.
        .target(name: "Retryable", dependencies: ["Groundwork", "RetryCore", "RetryReport"]),
        .testTarget(
            name: "RetryableSwift5Tests",
            dependencies: ["Retryable"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // Runs what .ci/apple-double builds of Fixtures/AppleXCTest, which has Apple's declarations.
        .testTarget(name: "RetryableAppleTests", dependencies: ["RetryReport", "TestSupport"]),

        // The `retries` command, all of it in a library.
        .target(
            name: "RetriesCommand",
            dependencies: ["Groundwork", "RetryReport"],
            resources: [.embedInCode("Repeating/delays.c")]
        ),
        .executableTarget(name: "retries", dependencies: ["RetriesCommand"]),
        .testTarget(
            name: "RetriesCommandTests",
            dependencies: ["RetriesCommand", "retries", "TestSupport"],
            exclude: ["Expected"]
        ),

        // Swift Testing.
        .target(name: "RetryableTesting", dependencies: ["Groundwork", "RetryCore", "RetryReport"]),

        // A known start, isolated state, waiting for events.
        .target(name: "AppAutomation", dependencies: ["Groundwork"]),
        .testTarget(
            name: "AppAutomationTests",
            dependencies: ["AppAutomation", "TestSupport"],
            exclude: exitTests("EventTests.swift")
        ),
        .target(name: "AutomationTesting", dependencies: ["AppAutomation", "Groundwork"]),
        .testTarget(
            name: "AutomationSwift5Tests",
            dependencies: ["AutomationTesting"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
    ]
)

#if os(Linux)
    // Whole runs of tests in programs of their own, by functions that Apple's frameworks do not have. What Apple's have is
    // tried by .ci/xcode.
    package.targets += [
        .target(
            name: "WholeRuns",
            dependencies: ["Retryable", "RetryableTesting", "RetryReport", "TestSupport"],
            path: "Tests/WholeRuns"
        ),
        .testTarget(name: "RetryableTests", dependencies: ["Retryable", "WholeRuns", "TestSupport"]),

        // The same files, and those of their tests that go wrong. No test depends on it: what a test depends on is linked
        // beside it, and Swift Testing would find its tests there.
        .executableTarget(
            name: "WholeRunProgram",
            dependencies: ["Retryable", "RetryableTesting", "RetryReport", "TestSupport"],
            path: "Fixtures/WholeRunProgram",
            swiftSettings: [.define("PROGRAM")]
        ),

        .executableTarget(
            name: "UnrulyApp",
            dependencies: ["AppAutomation"],
            path: "Fixtures/Scenarios/UnrulyApp"
        ),
        // Tests of Swift Testing that wait, some of them in vain.
        .executableTarget(
            name: "WaitScenarios",
            dependencies: ["AutomationTesting", "Retryable", "RetryableTesting"],
            path: "Fixtures/Scenarios/Waits"
        ),
        .testTarget(
            name: "AutomationTestingTests",
            dependencies: ["AutomationTesting", "Retryable", "UnrulyApp", "TestSupport"],
            exclude: exitTests(
                "BothFrameworksTests.swift",
                "BoundsTests.swift",
                "ConnectionTests.swift",
                "DyingTests.swift",
                "LaunchingTests.swift"
            )
        ),

        // What it costs, and what it is for: swift run -c release benchmarks
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Retryable", "RetryableTesting", "AutomationTesting", "UnrulyApp", "RetriesCommand", "retries",
                "TestSupport",
            ],
            path: "Fixtures/Benchmarks"
        ),
    ]
#endif
