import Foundation
import Glibc
import Postgres
import ReferenceModel
import TestSupport
import Testing

extension Faults {
    /// What happens to PostgreSQL itself.
    @Suite struct ServerFaults {
        @Test func `E8: connections that the server ends cost nothing`() async throws {
            try await FaultTable.run("E8", "pg_terminate_backend in a loop") { run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        for _ in 0..<FaultScale.pick(quick: 20, long: 60) {
                            try await app.superuserValue(
                                """
                                select count(pg_terminate_backend(pid)) from pg_stat_activity
                                where datname = current_database()
                                  and application_name in ('afterpush ingest', 'afterpush worker')
                                """)
                            try await Task.sleep(for: .milliseconds(100))
                        }
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E9: a PostgreSQL that is killed recovers with everything that was acknowledged`() async throws {
            try await FaultTable.run("E9", "SIGKILL the postmaster") { run in
                // With fsync and all: durability is what is tested.
                try await Faults.withOwnCluster(run, durable: true) { cluster, app, collector in
                    var random = SplitMix64(seed: run.seed)
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        for _ in 0..<FaultScale.pick(quick: 2, long: 5) {
                            try await run.pause(200...600, &random)
                            await cluster.signal(SIGKILL)
                            try await cluster.start()
                        }
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E10: restarts of PostgreSQL cost nothing`() async throws {
            try await FaultTable.run("E10", "fast restarts of PostgreSQL") { run in
                try await Faults.withOwnCluster(run) { cluster, app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        for _ in 0..<FaultScale.pick(quick: 2, long: 12) {
                            try await Task.sleep(for: .milliseconds(FaultScale.pick(quick: 300, long: 1_000)))
                            try await cluster.restart()
                        }
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E12: connections that hang are given up, answers come in time, and new connections take over`()
            async throws
        {
            try await FaultTable.run("E12", "SIGSTOP the backends", atMost: 10) { run in
                try await Faults.withOwnCluster(run) { cluster, app, collector in
                    let load = FaultLoad(app, run) { $0.timeout = 20 }
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(500))
                        let stopped = try await Faults.backends(app)
                        run.expect(!stopped.isEmpty, "there was no connection to stop")
                        for pid in stopped { kill(pid, SIGSTOP) }
                        let start = ContinuousClock.now
                        // The rows that stopped transactions hold are not those that others write.
                        let isBack = await run.wait(30) { await Faults.probe(app, collector.port).isCommitted }
                        run.expect(isBack, "nothing was stored for 30 s after the connections hung")
                        run.note("stored again \(FaultTable.seconds(start.duration(to: .now))) s after the hang")
                        try await Task.sleep(for: .seconds(FaultScale.pick(quick: 0, long: 15)))
                        for pid in stopped { kill(pid, SIGCONT) }
                    }
                    run.expect(
                        load.ledger.figures.slowestAnswer < .seconds(12),
                        "an answer took \(load.ledger.figures.slowestAnswer)")
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E21: without a connection to be had requests are turned away at once, until there is one`()
            async throws
        {
            try await FaultTable.run("E21", "connection slots exhausted", atMost: 5) {
                run in
                try await Faults.withOwnCluster(run, maxConnections: 16) { cluster, app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(300))
                        try await hog(app, collector, run)
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        /// Takes every connection there is, and ends the collector's.
        private func hog(_ app: TestApp, _ collector: SupervisedCollector, _ run: FaultRun) async throws {
            var hogs: [Connection] = []
            let configuration = PostgresConfiguration(conninfo: app.conninfo)
            let first = try await Connection.open(configuration, logger: TestCluster.logger)
            hogs.append(first)
            let deadline = ContinuousClock.now + .seconds(FaultScale.pick(quick: 2, long: 20))
            var slowest = Duration.zero
            while ContinuousClock.now < deadline {
                _ = try await first.query(
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'afterpush %'")
                while let next = try? await Connection.open(configuration, logger: TestCluster.logger) {
                    hogs.append(next)
                }
                let probe = await Faults.probe(app, collector.port)
                slowest = max(slowest, probe.after)
                run.expect([503, 422].contains(probe.status), "answered \(probe.status) without connections")
            }
            run.expect(slowest < .seconds(10), "an answer took \(slowest) without connections")
            run.note("slowest answer without connections \(FaultTable.seconds(slowest)) s")
            for hog in hogs { await hog.close() }
        }
    }
}
