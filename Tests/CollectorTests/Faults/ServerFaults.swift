import Foundation
import Glibc
import Postgres
import SeededRandom
import TestSupport
import Testing

extension Faults {
    /// Tests faults of PostgreSQL itself.
    @Suite struct ServerFaults {
        @Test func `E8: connections that the server terminates lose no event`() async throws {
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

        @Test func `E9: PostgreSQL recovers from a kill with all acknowledged events`() async throws {
            try await FaultTable.run("E9", "SIGKILL the postmaster") { run in
                // With fsync, because durability is tested.
                try await Faults.withOwnCluster(run, durable: true) { cluster, app, collector in
                    var random = SeededGenerator(seed: run.seed)
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

        @Test func `E10: restarts of PostgreSQL lose no event`() async throws {
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

        @Test func `E12: connections that hang are replaced by new ones, and responses arrive in time`()
            async throws
        {
            try await FaultTable.run("E12", "SIGSTOP the backends", atMost: 10) { run in
                try await Faults.withOwnCluster(run) { cluster, app, collector in
                    var random = SeededGenerator(seed: run.seed)
                    let load = FaultLoad(app, run) { $0.timeout = 20 }
                    try await load.against([collector.port]) {
                        // A backend that is stopped while it holds a server latch blocks the whole server, which is not
                        // the intended fault: the test tries another moment.
                        var isBack: Bool?
                        for _ in 0..<10 where isBack == nil {
                            try await run.pause(300...700, &random)
                            isBack = try await hang(app, collector, run)
                        }
                        run.expect(isBack == true, "nothing was stored for 30 s after the connections hung")
                    }
                    run.expect(
                        load.ledger.figures.slowestResponse < .seconds(12),
                        "a response took \(load.ledger.figures.slowestResponse)")
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E21: requests are refused immediately while no connection is available`()
            async throws
        {
            try await FaultTable.run("E21", "connection slots exhausted", atMost: 5) {
                run in
                try await Faults.withOwnCluster(run, maxConnections: 16) { cluster, app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(300))
                        try await takeConnections(app, collector, run)
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        /// Stops the collector's backends until other connections store events again.
        ///
        /// - Returns: Whether that happened within 30 s; nil if the whole server was blocked.
        private func hang(_ app: TestApp, _ collector: SupervisedCollector, _ run: FaultRun) async throws -> Bool? {
            let stopped = try await Faults.backends(app)
            run.expect(!stopped.isEmpty, "there was no connection to stop")
            for pid in stopped { kill(pid, SIGSTOP) }
            defer { for pid in stopped { kill(pid, SIGCONT) } }
            let start = ContinuousClock.now
            var latched = 0
            let isBack = await run.wait(30) {
                // The rows that stopped transactions lock are not written by others.
                if await Faults.probe(app, collector.port).isCommitted { return true }
                latched = await isLatched(app, except: stopped) ? latched + 1 : 0
                return latched >= 2
            }
            if latched >= 2 {
                run.note(
                    "the server itself stood still, \(FaultTable.seconds(start.duration(to: .now))) s after the hang")
                return nil
            }
            run.note("stored again \(FaultTable.seconds(start.duration(to: .now))) s after the hang")
            if isBack { try await Task.sleep(for: .seconds(FaultScale.pick(quick: 0, long: 15))) }
            return isBack
        }

        /// Whether a backend waits for a latch or to extend a table, which normally takes only moments, or the server
        /// does not respond.
        private func isLatched(_ app: TestApp, except stopped: [Int32]) async -> Bool {
            var configuration = PostgresConfiguration(conninfo: app.conninfo)
            configuration.connectTimeout = .seconds(3)
            configuration.replyTimeout = .seconds(3)
            guard let connection = try? await Connection.open(configuration, logger: TestCluster.logger) else {
                return true
            }
            let pids = stopped.map(String.init).joined(separator: ",")
            let count = try? await connection.query(
                """
                select count(*) from pg_stat_activity
                where application_name like 'afterpush %' and pid not in (\(pids))
                  and (wait_event_type in ('LWLock', 'BufferPin') or wait_event = 'extend')
                  and clock_timestamp() - query_start > '1 second'
                """, format: .text
            ).first?.text(0)
            await connection.close()
            return count != "0"
        }

        /// Takes all available connections, and terminates the collector's.
        private func takeConnections(_ app: TestApp, _ collector: SupervisedCollector, _ run: FaultRun) async throws {
            var connections: [Connection] = []
            let configuration = PostgresConfiguration(conninfo: app.conninfo)
            let first = try await Connection.open(configuration, logger: TestCluster.logger)
            connections.append(first)
            let deadline = ContinuousClock.now + .seconds(FaultScale.pick(quick: 2, long: 20))
            var slowest = Duration.zero
            while ContinuousClock.now < deadline {
                _ = try await first.query(
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'afterpush %'")
                while let next = try? await Connection.open(configuration, logger: TestCluster.logger) {
                    connections.append(next)
                }
                let probe = await Faults.probe(app, collector.port)
                slowest = max(slowest, probe.after)
                run.expect([503, 422].contains(probe.status), "status \(probe.status) without connections")
            }
            run.expect(slowest < .seconds(10), "a response took \(slowest) without connections")
            run.note("slowest response without connections \(FaultTable.seconds(slowest)) s")
            for connection in connections { await connection.close() }
        }
    }
}
