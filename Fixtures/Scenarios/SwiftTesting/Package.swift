// swift-tools-version: 6.0
import PackageDescription

// Swift Testing runs every @Test function that is linked into a test process. These go wrong on purpose, so they are a
// package of their own, which the tests of RetryableTesting build and run.
let package = Package(
    name: "MisbehavingTesting",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "Retryable", path: "../../..")],
    targets: [
        .testTarget(
            name: "MisbehavingTesting",
            dependencies: [
                .product(name: "RetryableTesting", package: "Retryable"),
                .product(name: "Retryable", package: "Retryable"),
            ]
        )
    ]
)
