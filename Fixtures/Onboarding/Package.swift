// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Onboarding",
    platforms: [.macOS(.v12)],
    dependencies: [
        .package(name: "Retryable", path: "../..")
    ],
    targets: [
        // All of the app but its entry point, shared with the tests.
        .target(
            name: "OnboardingKit",
            dependencies: [.product(name: "AppAutomation", package: "Retryable")]
        ),
        .executableTarget(name: "onboarding", dependencies: ["OnboardingKit"]),
        .testTarget(
            name: "OnboardingTests",
            dependencies: [
                "OnboardingKit", "onboarding", .product(name: "AutomationTesting", package: "Retryable"),
            ]
        ),
    ]
)
