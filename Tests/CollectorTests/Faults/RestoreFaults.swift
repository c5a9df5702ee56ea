import Foundation
import Postgres
import Storage
import TestSupport
import Testing

extension Faults {
    /// What happens to whole tables, and to time.
    @Suite struct RestoreFaults {
        @Test func `E38: a backup is restored, clients send again, and everything is there once`() async throws {
            try await FaultTable.run(
                "E38", "pg_dump under load, restore, clients replay", atMost: 10
            ) {
                run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run)
                    let dump = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString).dump"
                    defer { try? FileManager.default.removeItem(atPath: dump) }
                    try await load.against([collector.port]) {
                        try await Task.sleep(for: .milliseconds(700))
                        try await tool("pg_dump", ["-Fc", "-f", dump, "-d", app.conninfo])
                        try await Task.sleep(for: .milliseconds(300))
                    }
                    let restored = try await TestCluster.database(empty: true)
                    try await tool("pg_restore", ["--exit-on-error", "-d", restored, dump])
                    try await replay(load, app, restored, run)
                }
            }
        }

        /// Everything the ledger knows is sent once more, to a collector on the restored database.
        private func replay(_ load: FaultLoad, _ app: TestApp, _ conninfo: String, _ run: FaultRun) async throws {
            let copy = TestApp(restored: app, conninfo: conninfo)
            let differences = try await copy.maintenance.verify()
            run.expect(differences.isEmpty, "restored: \(differences.count) differences")
            let before = try await copy.value("select count(*) from afterpush.events") ?? ""
            run.note("\(before) of \(load.ledger.count) events were in the backup")
            try await SupervisedCollector.with(conninfo, spooling: run.isSpooling) { collector in
                try await load.replay(to: collector.port)
                try await LedgerAudit([load], run, app: copy).check()
            }
            await copy.database.shutdown()
        }

        @Test func `E39: rollups that were lost are made anew while events come in`() async throws {
            try await FaultTable.run(
                "E39", "rollups lost, rebuilt under load", atMost: 10
            ) { run in
                try await Faults.withCollector(run) { app, collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        for _ in 0..<FaultScale.pick(quick: 2, long: 5) {
                            try await Task.sleep(for: .milliseconds(500))
                            try await Faults.sql(
                                """
                                select from afterpush.rollup_worker for update;
                                delete from afterpush.rollup_deliveries;
                                delete from afterpush.rollup_actions;
                                update afterpush.deliveries set kinds = 0
                                """, app)
                            try await app.maintenance.rebuild()
                        }
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E37: a clock that jumps under load changes nothing`() async throws {
            let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketime.so.1" }
                .first { FileManager.default.fileExists(atPath: $0) }
            guard let library else {
                FaultTable.skip("E37", "the clock jumps", because: "Debian's libfaketime is not installed")
                return
            }
            try await FaultTable.run(
                "E37", "the clock jumps an hour ahead and back", atMost: 5
            ) { run in
                let app = try await TestApp()
                let file = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString).time"
                defer { try? FileManager.default.removeItem(atPath: file) }
                func set(_ offset: String) throws { try Data("\(offset)\n".utf8).write(to: URL(filePath: file)) }
                try set("+0")
                // Timers go by the clock that never jumps, which the library leaves alone.
                let environment = [
                    "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1",
                    "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
                ]
                try await SupervisedCollector.with(app.conninfo, environment: environment, spooling: run.isSpooling) {
                    collector in
                    let load = FaultLoad(app, run)
                    try await load.against([collector.port]) {
                        for offset in ["+3600", "+0", "-3600", "+1", "-1", "+0"] {
                            try set(offset)
                            try await Task.sleep(for: .milliseconds(FaultScale.pick(quick: 400, long: 3_000)))
                            run.expect(await collector.status("/readyz") == 200, "not ready at \(offset) s")
                        }
                    }
                    let slowest = load.ledger.figures.maxUnacked
                    run.expect(slowest < .seconds(10), "a request went unacknowledged for \(slowest)")
                    try await LedgerAudit(load, run).check()
                }
                await app.database.shutdown()
            }
        }

        private func tool(_ name: String, _ arguments: [String]) async throws {
            let output = try await Program.run(arguments, program: URL(filePath: "/usr/bin/\(name)"))
            guard output.status == 0 else { throw Program.Failed(message: output.error) }
        }
    }
}
