import Foundation
import Ingest
import Postgres
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

    /// - Parameter conninfo: of a migrated database; without one, a new one.
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

    /// The same app and keys in a copy of its database.
    package init(restored app: TestApp, conninfo: String) {
        self.conninfo = conninfo
        database = Database(conninfo: conninfo, logger: TestCluster.logger)
        self.app = app.app
        ingestKey = app.ingestKey
        sendKey = app.sendKey
        readKey = app.readKey
    }

    /// Waits until everything that is stored is in the rollups; merges it here if there is no collector to do it.
    package func rolledUp(here: Bool = false) async throws {
        let worker = RollupWorker(pool: database.worker, logger: TestCluster.logger)
        let deadline = ContinuousClock.now + .seconds(60)
        while try await maintenance.waitingBatches() > 0 {
            if here { try await worker.rollUp() }
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "batches wait for a minute") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Waits until something is so, for a minute; errors on the way count as no.
    package func waitUntil(_ what: String, _ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? await condition()) != true {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "not within a minute: \(what)") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The single value of a query, as text, asked as the cluster's superuser over a connection of its own.
    @discardableResult
    package func superuserValue(_ sql: String) async throws -> String? {
        var configuration = PostgresConfiguration(conninfo: conninfo)
        // Not a name that tests look for.
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

    /// The single value of a query, as text.
    package func value(_ sql: String) async throws -> String? {
        try await database.owner.withConnection { connection in
            try await connection.query(sql, format: .text).first?.text(0)
        }
    }
}
