// swift-tools-version: 6.2
import PackageDescription

// Tests that .ci/xcode runs in Xcode, to see there what nothing but Xcode can show.
let package = Package(
    name: "InXcode",
    platforms: [.macOS(.v12), .iOS(.v15)],
    products: [.library(name: "InXcode", targets: ["InXcode"])],
    dependencies: [
        .package(name: "Retryable", path: "../..")
    ],
    targets: [
        .target(name: "InXcode"),
        .testTarget(
            name: "InXcodeTests",
            dependencies: ["InXcode", .product(name: "Retryable", package: "Retryable")]
        ),
    ]
)
