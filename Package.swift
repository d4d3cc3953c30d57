// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// What every target of the library and the program is built with: what reaches into memory without a check is marked `unsafe`.
let strict = settings + [.strictMemorySafety()]

/// For views of bytes that must not outlive them (`~Escapable`), which the compiler then sees to. What bears this name is to stay
/// for two releases of Swift beyond its final form; SwiftNIO and Swift Collections stand on it, too.
let views: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// What only the program needs. An application that embeds the library with `traits: []` resolves none of it, and builds none of
/// the targets that stand on it.
let service: TargetDependencyCondition? = .when(traits: ["Service"])

let package = Package(
    name: "netwatch",
    products: [
        .library(name: "Netwatch", targets: ["Netwatch"]),
        .library(name: "NetwatchC", type: .dynamic, targets: ["NetwatchC"]),
        .library(name: "RequestCore", targets: ["RequestCore"]),
        .library(name: "RequestFoundation", targets: ["RequestFoundation"]),
        .executable(name: "netwatch", targets: ["netwatch"]),
    ],
    traits: [
        .trait(name: "Service", description: "The netwatch program: its command line and HTTP server."),
        .default(enabledTraits: ["Service"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-system.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.32.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.4.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CNetlink",
            pkgConfig: "libnl-3.0 libnl-route-3.0 libnl-genl-3.0",
            providers: [.apt(["libnl-3-dev", "libnl-route-3-dev", "libnl-genl-3-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSpawn"),
        .systemLibrary(name: "CCares", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(
            name: "NetworkAddress", dependencies: [.product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: strict),
        .target(name: "Broadcast", swiftSettings: strict),
        .target(
            name: "EventLoop",
            dependencies: [
                "CLinux",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(
            name: "Evidence",
            dependencies: [
                "EventLoop", "NetworkAddress", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(
            name: "Netlink",
            dependencies: [
                "CNetlink", "EventLoop", "NetworkAddress",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict + views),
        .target(
            name: "Reachability",
            dependencies: [
                "Broadcast", "CLinux", "EventLoop", "Netlink", "NetworkAddress",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "JSON", dependencies: [.product(name: "OrderedCollections", package: "swift-collections")],
            swiftSettings: strict),
        .target(
            name: "RequestEngine",
            dependencies: [
                "CCurl", "CLinux", "COpenSSL", "EventLoop", "NetworkAddress",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "RequestCore",
            dependencies: [
                "CLinux", "EventLoop", "JSON", "NetworkAddress", "RequestEngine",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "Echo",
            dependencies: [
                "CLinux", "EventLoop", "NetworkAddress",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "Resolver",
            dependencies: [
                "CCares", "CLinux", "EventLoop", "NetworkAddress",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
        .target(name: "RE2", dependencies: ["CRE2"], swiftSettings: strict),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(
            name: "RequestFoundation", dependencies: ["CLibXML2", "Reachability", "RequestCore"],
            swiftSettings: strict),
        .target(
            name: "Connectivity",
            dependencies: [
                "EventLoop", "Evidence", "JSON", "NetworkAddress", "RE2", "Reachability", "RequestEngine", "Resolver",
            ],
            swiftSettings: strict),
        .target(
            name: "Probing",
            dependencies: [
                "CLinux", "Connectivity", "Echo", "EventLoop", "Evidence", "JSON", "Netlink", "NetworkAddress", "RE2",
                "Reachability", "RequestEngine", "Resolver",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "Netwatch",
            dependencies: [
                "Broadcast", "Connectivity", "EventLoop", "JSON", "Netlink", "NetworkAddress", "Probing",
                "Reachability", "RequestEngine", "Resolver",
            ],
            swiftSettings: strict + views),
        .target(name: "CNetwatch"),
        .target(
            name: "NetwatchC",
            dependencies: [
                "CLinux", "CNetwatch", "Connectivity", "EventLoop", "Netwatch", "RequestEngine",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(name: "CPage", exclude: ["page.html"]),
        .target(name: "History", dependencies: ["CSQLite", "EventLoop"], swiftSettings: strict),
        .target(
            name: "MQTT", dependencies: ["CLinux", "CMosquitto", "EventLoop", "RequestEngine"], swiftSettings: strict),
        .target(name: "Fleet", dependencies: ["JSON"], swiftSettings: strict),
        .target(
            name: "NetwatchService",
            dependencies: [
                "CLinux", "CPage", "CSpawn", "CYAML", "CZlib", "Connectivity", "EventLoop", "Fleet", "History", "JSON",
                "MQTT", "NetworkAddress", "Netwatch", "Probing", "Reachability", "RequestCore", "RequestEngine",
                .product(name: "Hummingbird", package: "hummingbird", condition: service),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: service),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: service),
                .product(name: "NIOCore", package: "swift-nio", condition: service),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: service),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: service),
                .product(name: "NIOPosix", package: "swift-nio", condition: service),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Logging", package: "swift-log", condition: service),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: service),
            ],
            swiftSettings: strict),
        .target(name: "CArguments"),
        .executableTarget(
            name: "netwatch",
            dependencies: [
                "CArguments", "Connectivity", "EventLoop", "Fleet", "History", "MQTT", "NetworkAddress", "Netwatch",
                "NetwatchService", "RequestEngine",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: service),
            ],
            path: "Sources/netwatch-cli",
            swiftSettings: strict),

        .executableTarget(
            name: "Embedding", dependencies: ["Netwatch"], path: "Examples/Embedding", swiftSettings: settings),

        .target(name: "CTestNamespace", path: "Tests/Support/CTestNamespace"),
        .target(
            name: "TestSupport",
            dependencies: [
                "CTestNamespace", "EventLoop", "NetworkAddress",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "Tests/Support/TestSupport",
            swiftSettings: settings),
        .target(
            name: "World",
            dependencies: [
                "Evidence", "EventLoop", "NetworkAddress", .product(name: "HeapModule", package: "swift-collections"),
            ],
            path: "Tests/Support/World",
            swiftSettings: settings),
        .executableTarget(
            name: "Simulation", dependencies: ["World"], path: "Tests/Support/Simulation", swiftSettings: settings),
        .testTarget(
            name: "EvidenceTests", dependencies: ["Evidence", "EventLoop", "NetworkAddress", "TestSupport", "World"],
            swiftSettings: settings),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "NetlinkTests",
            dependencies: [
                "CNetlink", "EventLoop", "Netlink", "NetworkAddress", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DifferentialTests", dependencies: ["EventLoop", "NetworkAddress", "Reachability", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ReachabilityTests",
            dependencies: [
                "EventLoop", "Netlink", "NetworkAddress", "Reachability", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "RequestCoreTests",
            dependencies: [
                "EventLoop", "JSON", "NetworkAddress", "RequestCore", "RequestEngine", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EchoTests",
            dependencies: [
                "Echo", "EventLoop", "NetworkAddress", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ResolverTests", dependencies: ["EventLoop", "NetworkAddress", "Resolver", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "RequestFoundationTests",
            dependencies: ["EventLoop", "NetworkAddress", "Reachability", "RequestFoundation", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "ConnectivityTests",
            dependencies: [
                "Broadcast", "Connectivity", "EventLoop", "Evidence", "JSON", "Netlink", "Netwatch",
                "NetworkAddress", "Probing", "RE2", "Reachability", "RequestEngine", "Resolver", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "NetwatchTests",
            dependencies: [
                "Connectivity", "Embedding", "EventLoop", "Netwatch", "NetworkAddress", "Reachability", "RequestCore",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EmbeddingTests",
            dependencies: [
                "Netwatch", "RequestCore", .product(name: "NIOCore", package: "swift-nio", condition: service),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: service),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: service),
            ],
            swiftSettings: settings),
        // As packages are that set nothing.
        .testTarget(name: "DefaultSettingsTests", dependencies: ["RequestCore"]),
        .testTarget(
            name: "LibraryTests",
            dependencies: ["NetwatchC", "TestSupport", .product(name: "SystemPackage", package: "swift-system")],
            exclude: ["Programs"],
            swiftSettings: settings),
        .testTarget(
            name: "HistoryTests", dependencies: ["CSQLite", "EventLoop", "History", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "MQTTTests",
            dependencies: [
                "CMosquitto", "EventLoop", "MQTT", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: settings),
        .testTarget(name: "FleetTests", dependencies: ["Fleet"], swiftSettings: settings),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "netwatch", "MQTT", "Netwatch", "NetwatchService", "History", "Connectivity", "EventLoop",
                "NetworkAddress", "JSON", "Probing", "Reachability", "RequestEngine", "TestSupport",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            exclude: ["Traces"],
            swiftSettings: settings),
    ]
)
