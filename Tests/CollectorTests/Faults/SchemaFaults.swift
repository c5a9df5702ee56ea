import Foundation
import Postgres
import Storage
import TestSupport
import Testing

extension Faults {
    /// Tests long transactions and missing or dropped partitions.
    @Suite struct SchemaFaults {
        @Test func `E22: an open transaction delays no other one, and its batch is counted when it commits`()
            async throws
        {
            try await FaultTable.run("E22", "a write transaction left open", atMost: 2) { run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run)
                    let id = UUID()
                    var configuration = PostgresConfiguration(conninfo: app.conninfo)
                    // A psql session without a timeout.
                    configuration.idleInTransactionTimeout = .zero
                    let writer = try await Connection.open(configuration, logger: TestCluster.logger)
                    try await load.against([collector.port]) {
                        try await writer.script(openBatch(id, app))
                        try await Task.sleep(for: .seconds(FaultScale.pick(quick: 2, long: 120)))
                        // Other batches are merged meanwhile.
                        let merged = await run.wait(20) {
                            try await app.value(
                                "select count(*) > 0 from afterpush.batches where rolled_up_at is not null") == "t"
                        }
                        run.expect(merged, "no batch was merged beside an open transaction")
                        try await writer.script("commit")
                    }
                    await writer.close()
                    let slowest = load.ledger.figures.maxUnacked
                    run.expect(slowest < .seconds(10), "a request went unacknowledged for \(slowest)")
                    try await LedgerAudit(load, run).check(foreign: [id])
                }
            }
        }

        /// Begins a batch of one event without a commit.
        private func openBatch(_ id: UUID, _ app: TestApp) -> String {
            """
            begin;
            with batch as (
                insert into afterpush.batches (batch_id, app_id, started_at, events, duplicates, conflicts, rejected)
                values (nextval('afterpush.batch_ids'), \(app.app.id), clock_timestamp(), 1, 0, 0, 0)
                returning batch_id
            )
            insert into afterpush.events
                (delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind, verified, device_id,
                 notification_id)
            select gen_random_uuid(), '\(id)', now(), now(), batch_id, \(app.app.id), 'opened', true, 'late', 'late'
            from batch
            """
        }

        @Test func `E23: events of a month without a partition are stored, and moved when the partition is created`()
            async throws
        {
            try await FaultTable.run("E23", "partitions missing", atMost: 5) { run in
                try await Faults.withCollector(run) { app, collector in
                    try await Faults.sql(
                        """
                        do $$
                        declare part regclass;
                        begin
                            for part in select inhrelid::regclass from pg_inherits
                                where inhparent = 'afterpush.events'::regclass and inhrelid::regclass::text !~ 'default'
                            loop
                                execute format('drop table %s', part);
                            end loop;
                        end $$
                        """, app)
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        let isStored = await run.wait(20) {
                            (try? await app.value("select count(*) > 0 from afterpush.events_default")) == "t"
                        }
                        run.expect(isStored, "no event was stored in the default partition")
                        _ = try await app.value("select afterpush.ensure_partitions(now(), 1, 1)")
                        try await Task.sleep(for: .seconds(1))
                    }
                    run.expect(load.ledger.figures.statuses[500] == nil, "status 500")
                    let left = try await app.value("select count(*) from afterpush.events_default")
                    run.expect(left == "0", "\(left ?? "") events stayed in the default partition")
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E24: reports are exact, or say that they can't be, after an old partition is dropped under load`()
            async throws
        {
            try await FaultTable.run("E24", "detach a partition under load and reports") { run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        let client = TestClient(url: "http://127.0.0.1:\(collector.port)")
                        for month in 1...FaultScale.pick(quick: 4, long: 20) {
                            // Years ago, without any event of the load.
                            _ = try await app.value(
                                "select afterpush.ensure_partitions('2001-01-15'::timestamptz + interval '\(month) months', 0, 0)"
                            )
                            async let report = client.get("/v1/reports/conversion?by=day", key: app.readKey)
                            let part = try await app.value(
                                """
                                select inhrelid::regclass::text from pg_inherits
                                where inhparent = 'afterpush.events'::regclass and inhrelid::regclass::text ~ '_200[1-3]_'
                                """)
                            let name = part ?? ""
                            try await Faults.sql(
                                "alter table afterpush.events detach partition \(name); drop table \(name)", app)
                            let status = try await report.status
                            run.expect([200, 503].contains(status), "the report's status was \(status)")
                        }
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }
    }
}
