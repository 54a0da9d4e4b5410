// swift-tools-version: 6.0
import PackageDescription

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
        // What flaked, as CI reads it.
        .target(name: "RetryReport"),
        .executableTarget(name: "scribe", dependencies: ["RetryReport"], path: "Fixtures/Scribe"),
        .testTarget(name: "RetryReportTests", dependencies: ["RetryReport", "scribe"]),

        // Marks, sections and what a failure becomes; no test framework.
        .target(name: "RetryCore", dependencies: ["RetryReport"]),
        .testTarget(name: "RetryCoreTests", dependencies: ["RetryCore"]),

        // XCTest.
        .target(name: "Retryable", dependencies: ["RetryCore"]),
        .target(name: "Misbehaving", dependencies: ["Retryable"], path: "Fixtures/Misbehaving"),
        .executableTarget(name: "misbehave", dependencies: ["Misbehaving"], path: "Fixtures/Misbehave"),
        .testTarget(name: "RetryableTests", dependencies: ["Retryable", "misbehave"]),
        .testTarget(
            name: "RetryableSwift5Tests",
            dependencies: ["Retryable"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        // Builds and runs Fixtures/AppleXCTest, which has Apple's declarations, in processes of its own.
        .testTarget(name: "RetryableAppleTests", dependencies: ["RetryReport"]),

        // The `retries` command, all of it in a library.
        .target(name: "RetriesCommand", dependencies: ["RetryReport"]),
        .executableTarget(name: "retries", dependencies: ["RetriesCommand"]),
        .testTarget(name: "RetriesCommandTests", dependencies: ["RetriesCommand", "retries"], exclude: ["Expected"]),

        // Swift Testing.
        .target(name: "RetryableTesting", dependencies: ["RetryCore"]),
        .testTarget(name: "RetryableTestingTests", dependencies: ["RetryableTesting"]),

        // A known start, isolated state, waiting for events.
        .target(name: "AppAutomation"),
        .testTarget(name: "AppAutomationTests", dependencies: ["AppAutomation"]),
        .target(name: "AutomationTesting", dependencies: ["AppAutomation"]),
        .executableTarget(name: "UnrulyApp", dependencies: ["AppAutomation"], path: "Fixtures/UnrulyApp"),
        .testTarget(name: "AutomationTestingTests", dependencies: ["AutomationTesting", "UnrulyApp"]),
        .testTarget(
            name: "AutomationSwift5Tests",
            dependencies: ["AutomationTesting"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),

        // Compiles every snippet in README and in the documentation.
        .testTarget(
            name: "DocumentationTests",
            dependencies: ["RetryReport", "Retryable", "RetryableTesting", "AppAutomation", "AutomationTesting"]
        ),

        // What it costs, and what it is for: swift run -c release benchmarks
        .executableTarget(
            name: "benchmarks",
            dependencies: ["Retryable", "RetryableTesting", "RetryReport", "retries"],
            path: "Fixtures/Benchmarks"
        ),
    ]
)
