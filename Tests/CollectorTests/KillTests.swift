import AfterpushWire
import Foundation
import LocalPostgres
import Postgres
import ReferenceModel
import Storage
import TestSupport
import Testing

/// SIGKILL during a load: what was acknowledged is there once, and reports equal the model.
@Suite(.serialized) struct KillTests {
    @Test func `a collector that is killed again and again loses nothing it acknowledged`() async throws {
        let app = try await TestApp()
        let load = KillLoad(app, events: 4_000, seed: 11)
        var collector = try await CollectorProcess(conninfo: app.conninfo)
        let port = collector.port
        async let posted: Void = load.post(to: port)
        for _ in 0..<6 {
            try await Task.sleep(for: .milliseconds(Int.random(in: 150...500)))
            await collector.kill()
            collector = try await CollectorProcess(conninfo: app.conninfo, port: port)
        }
        try await posted
        try await load.expectEverythingOnce()
        await collector.stop()
    }

    @Test func `a PostgreSQL that is killed recovers with everything that was acknowledged`() async throws {
        // Not a throwaway one: durability is what is tested.
        let cluster = try await TestCluster.open(throwaway: false)
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: cluster.conninfo), logger: TestCluster.logger)
        _ = try await Migrator().run(on: connection)
        await connection.close()
        let app = try await TestApp(conninfo: cluster.conninfo)
        let load = KillLoad(app, events: 3_000, seed: 12)
        let collector = try await CollectorProcess(conninfo: cluster.conninfo)
        async let posted: Void = load.post(to: collector.port)
        var restarted = cluster
        for _ in 0..<3 {
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...500)))
            let pid = try #require(restarted.postmasterPID)
            kill(pid, SIGKILL)
            var configuration = LocalCluster.Configuration(dataDirectory: cluster.directory)
            configuration.startTimeout = .seconds(60)
            restarted = try await LocalCluster.open(configuration, logger: TestCluster.logger)
        }
        try await posted
        try await load.expectEverythingOnce()
        #expect(await collector.stop() == 0)
        await app.database.shutdown()
        await restarted.close()
        await cluster.close()
        try? FileManager.default.removeItem(atPath: cluster.directory)
    }

    @Test func `a collector that is told to stop under load finishes what it took and exits with 0`() async throws {
        let app = try await TestApp()
        let load = KillLoad(app, events: 3_000, seed: 13)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let port = collector.port
        async let posted: Void = load.post(to: port)
        try await Task.sleep(for: .milliseconds(400))
        let start = ContinuousClock.now
        #expect(await collector.stop() == 0)
        #expect(start.duration(to: .now) < .seconds(10))
        let next = try await CollectorProcess(conninfo: app.conninfo, port: port)
        try await posted
        try await load.expectEverythingOnce()
        await next.stop()
    }
}
