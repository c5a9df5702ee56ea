// swift-tools-version:6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// The transport over URLSession is part of the device library on Apple platforms. On Linux, it is a target of its own, which
// only tests use, so that the collector doesn't link FoundationNetworking.
#if os(Linux)
    let urlSessionFolder = ["URLSession"]
    let urlSessionTarget: [Target.Dependency] = ["AfterpushURLSession"]
#else
    let urlSessionFolder: [String] = []
    let urlSessionTarget: [Target.Dependency] = []
#endif

let package = Package(
    name: "afterpush",
    // Those of the device library. The collector itself runs on Linux alone.
    platforms: [.macOS(.v12), .iOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .executable(name: "afterpush", targets: ["afterpush"]),
        .library(name: "AfterpushClient", targets: ["AfterpushClient", "AfterpushNotifications"]),
        .library(name: "AfterpushWire", targets: ["AfterpushWire"]),
    ],
    dependencies: [
        // HTTP server: routing, keep-alive, graceful shutdown.
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
        // Command line: parsing, help, completion scripts.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        // Settings: flag, then environment, then file.
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        // Start, stop and signals of the long-running parts, in order.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        // One logging interface for our code and the libraries'.
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        // SHA-256 of keys and delivery identities.
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        // initdb, pg_ctl and, in tests, psql and the collector itself as child processes.
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.2"),
        // Deque: the queue of submissions that wait for their group.
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        // ByteBuffer and HTTP types at the border to the HTTP server.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        // The parts of requests and answers that pass through the server's channels.
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.34.1"),
        // HTTP/2: the numbers of its streams, and a floor without known holes.
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.44.0"),
        // TLS for the HTTP server: certificates by path.
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        // Receipts: JSON web tokens, signed and verified.
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.1"),
        // The spool: SQLite, rather than a log format of our own.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        // libpq, from Debian's libpq-dev.
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // Compression and decompression, from Debian's zlib1g-dev.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // glibc's allocator, which Swift's module of glibc leaves out.
        .systemLibrary(name: "CMalloc"),
        // What the device library sends with on Linux: libcurl, with headers from Debian's libcurl4-openssl-dev, loaded with
        // the first request.
        .target(name: "CCurl"),
        // A small, safe layer over libpq: connections, pool, parameters, rows, COPY out.
        .target(
            name: "Postgres",
            dependencies: [
                "Backoff", "CLibpq", "Executors", "Timing", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // The program's own PostgreSQL cluster.
        .target(
            name: "LocalPostgres",
            dependencies: [
                "Files",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        // The JSON shapes that devices and the collector share.
        .target(name: "AfterpushWire", swiftSettings: settings),
        // The device library: a queue on the disk, and what sends from it. Foundation, and zlib, which is in Apple's SDKs.
        .target(
            name: "AfterpushClient",
            dependencies: [
                "AfterpushWire", "Backoff", "Zlib", .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ],
            exclude: urlSessionFolder,
            resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: settings
        ),
        // From Apple's UserNotifications to events. Linux has no such framework: there, a target of the same name declares
        // the few types that are used, with Apple's signatures, so that this is compiled and tested.
        .target(
            name: "AfterpushNotifications",
            dependencies: [
                "AfterpushClient", "AfterpushWire",
                .target(name: "UserNotifications", condition: .when(platforms: [.linux])),
                .target(name: "UserNotificationsUI", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        // Stand-ins for tests on Linux; not part of what an app links.
        .target(
            name: "UserNotifications", path: "Tests/UserNotifications", exclude: ["README.md"], swiftSettings: settings),
        .target(
            name: "UserNotificationsUI", dependencies: ["UserNotifications"], path: "Tests/UserNotificationsUI",
            swiftSettings: settings),
        // Counters, histograms and their text for Prometheus.
        .target(name: "Instruments", swiftSettings: settings),
        // JSON: one scanner and one writer.
        .target(name: "JSON", swiftSettings: settings),
        // Compression and decompression over zlib.
        .target(
            name: "Zlib", dependencies: [.target(name: "CZlib", condition: .when(platforms: [.linux]))],
            swiftSettings: settings, linkerSettings: [.linkedLibrary("z")]),
        // Files of the system: what commands write, and how root uses what others can change.
        .target(name: "Files", swiftSettings: settings),
        // Runs an actor on a dispatch queue of its own, for blocking C calls.
        .target(name: "Executors", swiftSettings: settings),
        // The pauses between attempts that fail. The device library needs it, so it supports its systems.
        .target(name: "Backoff", swiftSettings: settings),
        // Timeouts, and pauses as durations.
        .target(name: "Timing", dependencies: ["Backoff"], swiftSettings: settings),
        // What adapts the process to the machine: tasks, memory, limits and priorities.
        .target(
            name: "Tuning",
            dependencies: [
                "CMalloc", "Executors",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        // Submissions as they arrive: decoding, validation, and events that later code need not check again.
        .target(
            name: "Events",
            dependencies: ["AfterpushWire", "JSON", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),
        // What a server declares about its app: categories, campaigns, sends, provider results and payloads.
        .target(
            name: "Declarations",
            dependencies: ["AfterpushWire", "Events", "JSON", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),
        // The wire formats of other systems' clients, each as pure functions to native events.
        .target(
            name: "Dialects",
            dependencies: ["AfterpushWire", "Events", "JSON", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),
        // Receipts: their secrets, signing and verification.
        .target(
            name: "Receipts",
            dependencies: [
                "AfterpushWire", "Declarations", "Events", "JSON", .product(name: "JWTKit", package: "jwt-kit"),
            ],
            swiftSettings: settings
        ),
        // Group commit: from validated events to groups that a sink makes durable. Also the cache of API keys.
        .target(
            name: "Ingest",
            dependencies: [
                "AfterpushWire", "Events", "Instruments",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        // The spool: keeps groups on disk while PostgreSQL is away, and replays them.
        .target(
            name: "Spool",
            dependencies: [
                "AfterpushWire", "Backoff", "Events", "Executors", "Files", "Ingest", "Instruments", "Timing",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // Puts files of SQL into the program as texts; see the comment in its source on why not `.embedInCode`.
        .plugin(name: "EmbedText", capability: .buildTool(), dependencies: ["EmbedTextTool"]),
        .executableTarget(name: "EmbedTextTool", path: "Plugins/EmbedTextTool", swiftSettings: settings),
        // All SQL, as text.
        .target(
            name: "SQLFiles",
            path: "sql",
            exclude: ["schema.snapshot.sql"],
            swiftSettings: settings,
            plugins: ["EmbedText"]
        ),
        // The dashboard: its page, as files.
        .target(
            name: "DashboardFiles",
            path: "dashboards",
            exclude: ["grafana"],
            swiftSettings: settings,
            plugins: ["EmbedText"]
        ),
        // What web pages load from the collector, as text.
        .target(name: "ClientFiles", path: "clients", swiftSettings: settings, plugins: ["EmbedText"]),
        // PostgreSQL: the sink of events, migrations, rollups, registry, retention and erasure.
        .target(
            name: "Storage",
            dependencies: [
                "AfterpushWire", "Declarations", "Dialects", "Events", "Executors", "Files", "Ingest", "Instruments",
                "JSON", "Postgres", "Receipts", "SQLFiles", "Spool", "Timing",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // The catalogue of reports, their parameters, and their output formats.
        .target(
            name: "Reports",
            dependencies: [
                "AfterpushWire", "JSON", "Postgres", "SQLFiles", "Zlib",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        // From files to stored events.
        .target(
            name: "Imports",
            dependencies: [
                "AfterpushWire", "Dialects", "Events", "Files", "Ingest", "JSON", "Postgres", "Reports", "Zlib",
            ],
            swiftSettings: settings
        ),
        // From stored events to the files of an archive.
        .target(
            name: "Archives", dependencies: ["Files", "Reports", "Storage", "Zlib"], swiftSettings: settings),
        // How a bounded resource is divided among those who use it.
        .target(name: "Shares", swiftSettings: settings),
        // HTTP under limits: connections, time, bytes and TLS. It knows nothing of notifications.
        .target(
            name: "HTTPTransport",
            dependencies: [
                "Instruments", "JSON", "Shares",
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        // Alerts: rules over reports, their evaluation, and the delivery of messages.
        .target(
            name: "Alerts",
            dependencies: [
                "AfterpushWire", "Backoff", "CCurl", "Declarations", "Events", "HTTPTransport", "Instruments", "JSON",
                "Postgres", "Reports", "SQLFiles", "Timing",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // Routes, authentication, and the status of every error.
        .target(
            name: "Server",
            dependencies: [
                "AfterpushWire", "Alerts", "ClientFiles", "DashboardFiles", "Declarations", "Dialects", "Events",
                "Executors", "HTTPTransport", "Ingest", "Instruments", "JSON", "Receipts", "Reports", "Shares",
                "Tuning",
                "Zlib",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings,
            // The description of all routes.
            plugins: ["EmbedText"]
        ),
        // A fleet of devices with known behaviour.
        .target(
            name: "Simulator",
            dependencies: ["AfterpushClient", "AfterpushWire", .product(name: "Crypto", package: "swift-crypto")],
            swiftSettings: settings
        ),
        // Log lines: for people on a terminal, as JSON otherwise.
        .target(
            name: "Logs", dependencies: ["JSON", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),
        // What a number of events per second needs, from measured costs.
        .target(name: "Capacity", dependencies: ["JSON"], swiftSettings: settings),
        // The command line: parse, wire, call.
        .executableTarget(
            name: "afterpush",
            dependencies: [
                "AfterpushWire", "Alerts", "Archives", "Capacity", "Declarations", "Dialects", "Events", "Executors",
                "Files", "HTTPTransport", "Imports", "Ingest", "Instruments", "JSON",
                "LocalPostgres", "Logs", "Postgres", "Receipts", "Reports", "Server", "Simulator", "Spool", "Storage",
                "Tuning",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            // A link to Package.resolved, for `afterpush version --dependencies`.
            resources: [.embedInCode("Dependencies/packages.json")],
            swiftSettings: settings
        ),
        // What `make bench` holds the collector against: a handler that decodes and answers, and keeps nothing.
        .executableTarget(
            name: "BareHandler",
            dependencies: [
                "AfterpushWire", "Events",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
            ],
            path: "Bench/BareHandler",
            swiftSettings: settings
        ),
        // How long the device library takes to record an event, for `make bench`.
        .executableTarget(
            name: "RecordTimes", dependencies: ["AfterpushClient", "AfterpushWire"], path: "Bench/RecordTimes",
            swiftSettings: settings),
        // The naive recomputation that reports are held against; knows nothing of the product.
        .target(
            name: "ReferenceModel", dependencies: ["SeededRandom"], path: "Tests/ReferenceModel",
            exclude: ["README.md"], swiftSettings: settings),
        // The random number generator of all tests: the same seed yields the same sequence.
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: settings),
        // Clients of HTTP/1.1 and HTTP/2 whose bytes and frames are written by hand.
        .target(
            name: "RawHTTP2",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/RawHTTP2",
            swiftSettings: settings),
        // A process that attacks a collector until it is killed.
        .executableTarget(
            name: "AttackProcess", dependencies: ["RawHTTP2", "Zlib"], path: "Tests/AttackProcess",
            swiftSettings: settings),
        // Hostile input for the decoders and the connection layer, for as long as one likes: `make fuzz`.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "AfterpushWire", "Declarations", "Dialects", "Events", "Ingest", "LocalPostgres", "Postgres",
                "SeededRandom", "Spool", "Storage",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Fuzz",
            swiftSettings: settings
        ),
        // A throwaway PostgreSQL, the program as a process, and a client.
        .target(
            name: "TestSupport",
            dependencies: [
                "AfterpushWire", "CCurl", "Events", "Ingest", "LocalPostgres", "Postgres", "Receipts", "Storage",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestSupport",
            exclude: ["Browser/accessibility.js"],
            swiftSettings: settings
        ),
        // A process that records events until it is killed.
        .executableTarget(
            name: "RecordingProcess", dependencies: ["AfterpushClient"], path: "Tests/RecordingProcess",
            swiftSettings: settings),
        .testTarget(
            name: "AfterpushClientTests",
            dependencies: [
                "AfterpushClient", "AfterpushWire", "Backoff", "RecordingProcess", "SeededRandom", "Zlib",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ] + urlSessionTarget,
            swiftSettings: settings
        ),
        .testTarget(
            name: "AfterpushWireTests", dependencies: ["AfterpushWire", "SeededRandom"], swiftSettings: settings),
        // Submissions and events for tests of what reads and stores them.
        .target(
            name: "EventSamples", dependencies: ["AfterpushWire", "Events"], path: "Tests/EventSamples",
            swiftSettings: settings),
        .testTarget(
            name: "EventsTests",
            dependencies: ["AfterpushWire", "Declarations", "EventSamples", "Events", "SeededRandom"],
            swiftSettings: settings),
        .testTarget(
            name: "DeclarationsTests",
            dependencies: ["AfterpushWire", "Declarations", "EventSamples", "Events", "Receipts"],
            swiftSettings: settings),
        .testTarget(
            name: "ReceiptsTests",
            dependencies: [
                "AfterpushWire", "EventSamples", "Events", "Receipts",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IngestTests", dependencies: ["AfterpushWire", "EventSamples", "Events", "Ingest"],
            swiftSettings: settings),
        .testTarget(
            name: "SpoolTests",
            dependencies: [
                "AfterpushWire", "EventSamples", "Events", "Ingest", "SeededRandom", "Spool", "Timing",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: [
                "HTTPTransport", "Instruments", "RawHTTP2", "SeededRandom",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AlertsTests",
            dependencies: [
                "AfterpushWire", "Alerts", "Declarations", "HTTPTransport", "Postgres", "Reports", "SQLFiles",
                "Storage", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DialectsTests",
            dependencies: [
                "AfterpushWire", "Dialects", "EventSamples", "Events", "JSON", "SeededRandom",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .testTarget(name: "CapacityTests", dependencies: ["Capacity", "JSON"], swiftSettings: settings),
        .testTarget(name: "BackoffTests", dependencies: ["Backoff"], swiftSettings: settings),
        .testTarget(name: "TimingTests", dependencies: ["Timing"], swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "SeededRandom"], swiftSettings: settings),
        .testTarget(
            name: "ZlibTests", dependencies: ["Zlib", .product(name: "Subprocess", package: "swift-subprocess")],
            swiftSettings: settings),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "Backoff", "CLibpq", "LocalPostgres", "Postgres", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalPostgresTests",
            dependencies: [
                "Files", "LocalPostgres", "Postgres", "Tuning", .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "AfterpushWire", "Declarations", "Events", "Files", "Ingest", "Postgres", "Reports", "SQLFiles",
                "SeededRandom", "Spool", "Storage", "TestSupport", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReportsTests",
            dependencies: [
                "AfterpushWire", "Postgres", "Reports", "SQLFiles", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ImportsTests",
            dependencies: ["AfterpushWire", "CZlib", "Dialects", "Events", "Imports", "Ingest", "Zlib"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ArchivesTests", dependencies: ["Archives", "Storage", "Zlib"],
            swiftSettings: settings),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "DashboardFiles", "EventSamples", "Events", "HTTPTransport", "Ingest", "SeededRandom", "Server",
                "Shares",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "TuningTests", dependencies: ["Tuning"], swiftSettings: settings),
        .testTarget(name: "FilesTests", dependencies: ["Files"], swiftSettings: settings),
        .testTarget(name: "InstrumentsTests", dependencies: ["Instruments"], swiftSettings: settings),
        .testTarget(
            name: "LogsTests", dependencies: ["Logs", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings
        ),
        .testTarget(name: "ReferenceModelTests", dependencies: ["ReferenceModel"], swiftSettings: settings),
        .testTarget(
            name: "SimulatorTests", dependencies: ["AfterpushClient", "AfterpushWire", "Simulator", "Zlib"],
            swiftSettings: settings),
        // The product as a whole: the program, PostgreSQL and HTTP.
        .testTarget(
            name: "CollectorTests",
            dependencies: [
                "AfterpushClient", "AfterpushNotifications", "AfterpushWire", "Alerts", "AttackProcess", "Declarations",
                "Events", "HTTPTransport", "Ingest", "Instruments", "LocalPostgres",
                "Postgres", "RawHTTP2", "RecordingProcess", "Receipts", "ReferenceModel", "Reports", "SQLFiles",
                "SeededRandom", "Simulator",
                "Spool", "Storage", "TestSupport", "UserNotifications", "UserNotificationsUI", "afterpush",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

#if os(Linux)
    package.targets.append(
        .target(
            name: "AfterpushURLSession", dependencies: ["AfterpushClient"], path: "Sources/AfterpushClient/URLSession",
            swiftSettings: settings))
#endif
