import Events
import Foundation
package import Postgres
package import Storage

/// A database with one app and its keys.
package struct TestApp: Sendable {
    package let conninfo: String
    package let database: Database
    package let app: App
    package let ingestKey: String
    package let sendKey: String
    package let readKey: String

    package var registry: Registry { Registry(pool: database.owner) }
    package var maintenance: RollupMaintenance { RollupMaintenance(pool: database.owner) }

    /// Creates an app and its keys.
    ///
    /// - Parameter conninfo: The connection string of a migrated database; without one, a new database is created.
    package init(named name: String = "shop", conninfo: String? = nil) async throws {
        if let conninfo {
            self.conninfo = conninfo
        } else {
            self.conninfo = try await TestCluster.database()
        }
        database = Database(conninfo: self.conninfo, logger: TestCluster.logger)
        let registry = Registry(pool: database.owner)
        app = try await registry.createApp(name)
        ingestKey = try await registry.createKey(app: app, scope: .ingest)
        sendKey = try await registry.createKey(app: app, scope: .send)
        readKey = try await registry.createKey(app: app, scope: .read)
    }

    /// The same app and keys in a copy of the database.
    package init(restored app: TestApp, conninfo: String) {
        self.conninfo = conninfo
        database = Database(conninfo: conninfo, logger: TestCluster.logger)
        self.app = app.app
        ingestKey = app.ingestKey
        sendKey = app.sendKey
        readKey = app.readKey
    }

    /// Waits until a collector has merged everything that is stored into the rollups, and counts conversions by the
    /// declared windows.
    package func waitForRollups() async throws {
        try await untilNoBatchWaits { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Merges everything that is stored into the rollups, without a collector.
    package func rollUp() async throws {
        let worker = RollupWorker(pool: database.worker, logger: TestCluster.logger)
        try await untilNoBatchWaits {
            try await worker.rollUp()
            try await worker.recountOnce()
        }
    }

    private func untilNoBatchWaits(_ step: () async throws -> Void) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try await areRollupsBehind() {
            guard ContinuousClock.now < deadline else {
                throw Program.Failed(message: "batches are still waiting after a minute")
            }
            try await step()
        }
    }

    /// Whether batches wait, or a conversion window was changed that the rollups don't count by yet.
    private func areRollupsBehind() async throws -> Bool {
        if try await maintenance.waitingBatches() > 0 { return true }
        return try await value(
            """
            select count(*) from afterpush.campaigns
            where next_window is not null or counted_window <> coalesce(conversion_window, response_window)
            """) != "0"
    }

    /// Waits for a condition for a minute; an error counts as false.
    package func waitUntil(_ what: String, _ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? await condition()) != true {
            guard ContinuousClock.now < deadline else {
                throw Program.Failed(message: "timed out after a minute: \(what)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The single value of a query as text, run as the cluster's superuser over a new connection.
    @discardableResult
    package func superuserValue(_ sql: String) async throws -> String? {
        var configuration = PostgresConfiguration(conninfo: conninfo)
        // A name that no test looks for.
        configuration.applicationName = "test"
        configuration.statementTimeout = .seconds(120)
        configuration.replyTimeout = .seconds(130)
        let connection = try await Connection.open(configuration, logger: TestCluster.logger)
        do {
            let value = try await connection.query(sql, format: .text).first?.text(0)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Calls a function with a pool of the ingest role, which waits for as long as tests beside it may compute.
    package func withPatientIngestPool(
        size: Int, _ body: (ConnectionPool) async throws -> Void
    ) async throws {
        var configuration = PostgresConfiguration(conninfo: conninfo)
        configuration.role = "afterpush_ingest"
        configuration.statementTimeout = .seconds(120)
        configuration.lockTimeout = .seconds(120)
        configuration.replyTimeout = .seconds(130)
        let pool = ConnectionPool(
            configuration: configuration, size: size, acquireTimeout: .seconds(120), logger: TestCluster.logger)
        do {
            try await body(pool)
            await pool.shutdown()
        } catch {
            await pool.shutdown()
            throw error
        }
    }

    /// Decides about waiting reply texts and deletes those past their retention period, as retention does.
    ///
    /// - Returns: The number of deleted texts.
    @discardableResult
    package func purgeReplies() async throws -> String? {
        _ = try await value("select delivery_id from afterpush.decide_waiting_page(10000, null, null, null)")
        return try await value("select afterpush.purge_replies(10000)")
    }

    /// The single value of a query as text.
    package func value(_ sql: String) async throws -> String? {
        try await database.owner.withConnection { connection in
            try await connection.query(sql, format: .text).first?.text(0)
        }
    }

    /// Executes a statement of one value, and counts the rows and index entries that it reads of tables.
    ///
    /// PostgreSQL keeps the counts of several transactions of a connection until it reports them to others, so only
    /// differences tell what one statement has read.
    ///
    /// - Parameter tables: The beginnings of the tables' names.
    /// - Returns: The value, and a count for each element of `tables`.
    package func reads(of tables: [String], in statement: String) async throws -> (value: String?, counts: [Int64]) {
        return try await database.owner.withConnection { connection in
            try await connection.transaction { connection in
                let before = try Self.reads(of: tables, connection)
                let value = try connection.query(statement, format: .text).first?.text(0)
                return (value, zip(try Self.reads(of: tables, connection), before).map { $0 - $1 })
            }
        }
    }

    /// The counts of the connection until now.
    private static func reads(of tables: [String], _ connection: isolated Connection) throws -> [Int64] {
        try tables.map { table in
            let count = """
                select sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid))::bigint
                from pg_class as c
                where c.relnamespace = 'afterpush'::regnamespace
                  and c.relname ~ '^\(table)'
                """
            return try connection.query(count)[0].decode(Int64.self)
        }
    }
}
