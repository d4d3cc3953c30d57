// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Measurements of netwatch beside others in the same run. A package of its own: nothing here reaches the product.
let package = Package(
    name: "netwatch-benchmarks",
    dependencies: [.package(name: "netwatch", path: "..", traits: [])],
    targets: [
        .target(name: "CKernelFloor"),
        .target(name: "CCurlFloor", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "netwatch-bench",
            dependencies: [
                "CCurlFloor", "CKernelFloor", .product(name: "Netwatch", package: "netwatch"),
                .product(name: "RequestCore", package: "netwatch"),
            ],
            swiftSettings: settings),
    ]
)
