import Foundation
import LocalPostgres
import Storage
import TestSupport
import Testing

/// The fault tests; docs/fault-tests.md lists the faults. After each fault the client's ledger is compared with the
/// database. The tests run one after another, because each has its own load.
@Suite(.serialized) enum Faults {
    /// Runs a collector with its own database in the shared cluster.
    static func withCollector(
        _ run: FaultRun, _ body: (TestApp, SupervisedCollector) async throws -> Void
    ) async throws {
        let app = try await TestApp()
        try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { try await body(app, $0) }
        await app.database.shutdown()
    }

    /// Runs a collector with its own cluster.
    static func withOwnCluster(
        _ run: FaultRun, durable: Bool = false, maxConnections: Int = 100,
        _ body: (DedicatedCluster, TestApp, SupervisedCollector) async throws -> Void
    ) async throws {
        try await DedicatedCluster.with(durable: durable, maxConnections: maxConnections) { cluster in
            let app = try await TestApp(conninfo: cluster.conninfo)
            try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) {
                try await body(cluster, app, $0)
            }
            await app.database.shutdown()
        }
    }

    /// Runs a collector with a breakable network between it and its database.
    static func withProxy(
        _ run: FaultRun, _ body: (TCPProxy, TestApp, SupervisedCollector) async throws -> Void
    ) async throws {
        let app = try await TestApp()
        let address = try DatabaseAddress(app.conninfo)
        let proxy = try TCPProxy(to: address.upstream)
        defer { proxy.close() }
        try await SupervisedCollector.with(address.conninfo(through: proxy), spooling: run.isSpooling) {
            try await body(proxy, app, $0)
        }
        await app.database.shutdown()
    }

    /// Runs a statement as superuser over the socket; see `TestCluster.script` for its time limit.
    static func sql(_ sql: String, _ app: TestApp) async throws {
        try await TestCluster.script(sql, on: app.conninfo)
    }

    /// The server processes of the collector's connections to this database, for some roles.
    static func backends(_ app: TestApp, _ roles: [String] = ["ingest", "worker"]) async throws -> [Int32] {
        let names = roles.map { "'afterpush \($0)'" }.joined(separator: ",")
        let sql = """
            select string_agg(pid::text, ',') from pg_stat_activity
            where datname = current_database() and application_name in (\(names))
            """
        return try await app.value(sql)?.split(separator: ",").compactMap { Int32($0) } ?? []
    }

    /// The event of a probe: it is rejected and nevertheless stored, which needs the database.
    static let probeID = "probe"

    struct Probe {
        /// The status; 0 without a response.
        let status: Int
        /// The place where the rejection was stored: `committed` or `spooled`.
        let durability: String?
        let after: Duration

        var isCommitted: Bool { durability == "committed" }
        /// The status of a collector that can't reach its database: spooled, or try again.
        var isWithoutDatabase: Bool { durability == "spooled" || status == 503 }
    }

    /// Posts a single event besides the load.
    static func probe(_ app: TestApp, _ port: Int, timeout: Double = 40) async -> Probe {
        let client = TestClient(url: "http://127.0.0.1:\(port)", timeout: timeout)
        let start = ContinuousClock.now
        let body = EventJSON.body(raw: [#"{"event_id":"\#(probeID)"}"#])
        let response = try? await client.post("/v1/events", body, key: app.sendKey)
        let durability = try? response?.json()["durability"] as? String
        return Probe(status: response?.status ?? 0, durability: durability, after: start.duration(to: .now))
    }
}

/// The extent of the fault tests: quick in `make test`, long in `make faults`.
enum FaultScale {
    static let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_FAULTS"] == "long"

    /// The number of runs of each test, each with its own seed.
    static let seeds =
        ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SEEDS"].flatMap { Int($0) } ?? (isLong ? 20 : 1)

    /// The seed of the first run, to reproduce a failure.
    static let firstSeed = ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SEED"].flatMap { UInt64($0) }

    /// Whether all collectors run without a spool.
    static let isWithoutSpool = ProcessInfo.processInfo.environment["AFTERPUSH_FAULT_SPOOL"] == "0"

    static func pick<T>(quick: T, long: T) -> T { isLong ? long : quick }
}
