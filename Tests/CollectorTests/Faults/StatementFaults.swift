import Foundation
import TestSupport
import Testing

extension Faults {
    /// Tests statements that are refused, cancelled or blocked.
    @Suite struct StatementFaults {
        @Test(arguments: ["40001", "40P01"])
        func `E14: transactions that fail because of a conflict are retried`(code: String) async throws {
            try await FaultTable.run("E14", "\(code) injected") { run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        try await inject(app, "raise exception 'injected' using errcode = '\(code)'", every: 3)
                        try await Task.sleep(for: .milliseconds(FaultScale.pick(quick: 1_200, long: 5_000)))
                        let fired = try await app.superuserValue("select last_value from afterpush.sabotages") ?? ""
                        run.expect(Int(fired) ?? 0 > 3, "the fault was injected into \(fired) transactions only")
                        // Now every transaction fails, so that retries have to end.
                        try await inject(app, "raise exception 'injected' using errcode = '\(code)'", every: 1)
                        let probe = await Faults.probe(app, collector.port)
                        run.expect(
                            probe.isWithoutDatabase, "status \(probe.status) when nothing can commit")
                        run.expect(probe.after < .seconds(10), "retried for \(probe.after)")
                        try await Faults.sql("drop trigger sabotage on afterpush.batches", app)
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E15: eight writers of the same deliveries never deadlock`() async throws {
            try await FaultTable.run("E15", "shared keys, eight writers") { run in
                try await Faults.withCollector(run) { app, collector in
                    try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { other in
                        let load = FaultLoad(app, run) { configuration in
                            configuration.senders = 8
                            configuration.duplicates = 0.6
                            configuration.pause = .zero
                        }
                        try await load.against([collector.port, other.port]) {
                            try await Task.sleep(for: .seconds(FaultScale.pick(quick: 2, long: 10)))
                        }
                        let deadlocks = try await app.value(
                            "select deadlocks from pg_stat_database where datname = current_database()")
                        run.expect(deadlocks == "0", "\(deadlocks ?? "") deadlocks")
                        try await LedgerAudit(load, run).check()
                    }
                }
            }
        }

        @Test func `E16: a locked table loses no event and builds up no queue`() async throws {
            try await FaultTable.run("E16", "LOCK TABLE events", atMost: 3) { run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run) { $0.timeout = 15 }
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(300))
                        let seconds = FaultScale.pick(quick: 5, long: 60)
                        let statements = "begin; lock table afterpush.events; select pg_sleep(\(seconds)); commit"
                        async let locked: Void = Faults.sql(statements, app)
                        try await Task.sleep(for: .milliseconds(200))
                        let probe = await Faults.probe(app, collector.port)
                        run.expect(
                            probe.after < .seconds(14), "a response took \(probe.after) while the table was locked")
                        let connections = try await Faults.backends(app, ["ingest"]).count
                        run.expect(connections <= 8, "\(connections) connections for ingest")
                        try await locked
                    }
                    let slowest = load.ledger.figures.slowestResponse
                    run.expect(slowest < .seconds(14), "a response took \(slowest)")
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E17: a group that exceeds the statement timeout is stored completely or not at all`() async throws {
            try await FaultTable.run("E17", "statement_timeout and cancelled statements") { run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run) { $0.timeout = 15 }
                    try await load.against([collector.port]) {
                        // First a statement that exceeds every timeout, then many that are cancelled half-way.
                        try await inject(app, "perform pg_sleep(60)", every: 1_000_000)
                        let sql = """
                            select count(*) > 0 from pg_stat_activity
                            where datname = current_database() and application_name = 'afterpush ingest'
                              and state = 'active' and now() - query_start > interval '1 second'
                            """
                        let isHeld = await run.wait(20) { try await app.superuserValue(sql) == "t" }
                        run.expect(isHeld, "no transaction was blocked")
                        let isOver = await run.wait(20) { try await app.superuserValue(sql) == "f" }
                        run.expect(isOver, "a transaction outlived its timeout")
                        for _ in 0..<FaultScale.pick(quick: 30, long: 200) {
                            try await app.superuserValue(
                                """
                                select count(pg_cancel_backend(pid)) from pg_stat_activity
                                where datname = current_database() and application_name = 'afterpush ingest'
                                  and state = 'active'
                                """)
                            try await Task.sleep(for: .milliseconds(20))
                        }
                        try await Faults.sql("drop trigger sabotage on afterpush.batches", app)
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        /// Runs a statement in every n-th ingest transaction, after its events were inserted.
        private func inject(_ app: TestApp, _ statement: String, every count: Int) async throws {
            try await Faults.sql(
                """
                drop trigger if exists sabotage on afterpush.batches;
                create sequence if not exists afterpush.sabotages;
                select setval('afterpush.sabotages', 1, false);
                create or replace function afterpush.sabotage() returns trigger language plpgsql security definer as $$
                begin
                    -- A sequence counts also what is rolled back.
                    if (nextval('afterpush.sabotages') - 1) % \(count) = 0 then
                        \(statement);
                    end if;
                    return new;
                end $$;
                grant execute on function afterpush.sabotage to public;
                create trigger sabotage before insert on afterpush.batches
                for each row execute function afterpush.sabotage();
                """, app)
        }
    }
}
