// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Retryable",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "Retryable", targets: ["Retryable"])
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
        .testTarget(name: "RetryableTests", dependencies: ["Retryable", "Misbehaving"]),
        .testTarget(
            name: "RetryableSwift5Tests",
            dependencies: ["Retryable"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),

        // Compiles every snippet in README and in the documentation.
        .testTarget(name: "DocumentationTests", dependencies: ["Retryable"]),
    ]
)
