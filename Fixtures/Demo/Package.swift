// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Demo",
    platforms: [.macOS(.v12), .iOS(.v15)],
    dependencies: [
        .package(name: "Retryable", path: "../..")
    ],
    targets: [
        .target(name: "Shop"),
        .testTarget(
            name: "DemoTests",
            dependencies: [
                "Shop",
                .product(name: "Retryable", package: "Retryable"),
                .product(name: "RetryableTesting", package: "Retryable"),
            ]
        ),
    ]
)
