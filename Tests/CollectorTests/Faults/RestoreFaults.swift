import Events
import Foundation
import LocalPostgres
import Postgres
import Storage
import TestSupport
import Testing

extension Faults {
    /// Tests restored backups, lost tables and clock changes.
    @Suite struct RestoreFaults {
        @Test func `E38: every event is stored once after a backup is restored and clients send again`() async throws {
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

        @Test func `E38: every event is stored once after a point-in-time recovery when clients send again`()
            async throws
        {
            try await FaultTable.run("E38", "base backup and WAL under load, restored to a moment", atMost: 2) { run in
                let copies =
                    FileManager.default.temporaryDirectory.path + "/afterpush-pitr-\(UUID().uuidString.prefix(8))"
                defer { try? FileManager.default.removeItem(atPath: copies) }
                try FileManager.default.createDirectory(
                    atPath: copies + "/wal", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o777])
                try await DedicatedCluster.with { cluster in
                    try await TestCluster.script(
                        "alter system set archive_mode = on", on: cluster.conninfo)
                    try await TestCluster.script(
                        "alter system set archive_command = 'cp %p \(copies)/wal/%f'", on: cluster.conninfo)
                    try await cluster.restart()
                    let app = try await TestApp(conninfo: cluster.conninfo)
                    try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { collector in
                        let load = FaultLoad(app, run)
                        let backup = PointInTimeBackup(of: cluster.directory, in: copies)
                        try await load.against([collector.port]) {
                            try await Task.sleep(for: .milliseconds(500))
                            try await backup.take(cluster.conninfo)
                            try await Task.sleep(for: .milliseconds(500))
                            try await backup.mark(cluster.conninfo)
                            try await Task.sleep(for: .milliseconds(500))
                        }
                        try await backup.finish(cluster.conninfo)
                        let restored = try await backup.restore()
                        let before = try await app.value("select count(*) from afterpush.events") ?? ""
                        run.note("\(before) events at the end")
                        try await replay(load, app, restored.conninfo, run)
                        await backup.close(restored)
                    }
                    await app.database.shutdown()
                }
            }
        }

        /// Sends all events of the ledger again to a collector with the restored database.
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

        @Test func `E39: lost rollups are rebuilt while events arrive`() async throws {
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
                                delete from afterpush.rollup_delivery_counts;
                                delete from afterpush.rollup_action_counts;
                                update afterpush.deliveries set kinds = 0
                                """, app)
                            try await app.maintenance.rebuild()
                        }
                    }
                    try await LedgerAudit(load, run).check()
                }
            }
        }

        @Test func `E40: an erased device is erased again after an older backup is restored`() async throws {
            try await FaultTable.run("E40", "erasure, then an older backup is restored", atMost: 5) { run in
                let app = try await TestApp()
                let key = try await app.registry.createKey(app: app.app, scope: .manage)
                let spool = CollectorProcess.spoolDirectory()
                let dump = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString).dump"
                defer { for file in [spool, dump] { try? FileManager.default.removeItem(atPath: file) } }
                let subject = "subject-\(run.seed)"
                let collector = try await CollectorProcess(conninfo: app.conninfo, spool: spool)
                let client = TestClient(url: collector.url)
                try await postEvents(subject, app, client)
                try await app.waitForRollups()
                let counted = try await Self.rollups(app)
                try await tool("pg_dump", ["-Fc", "-f", dump, "-d", app.conninfo])
                try await erase(subject, app, client, key)
                await collector.stop()

                let restored = try await TestCluster.database(empty: true)
                try await tool("pg_restore", ["--exit-on-error", "-d", restored, dump])
                let copy = TestApp(restored: app, conninfo: restored)
                let again = try await CollectorProcess(conninfo: restored, spool: spool)
                let response = try await TestClient(url: again.url).post(
                    "/v1/events", EventJSON.body([EventJSON.event(["device_id": subject])]), key: app.ingestKey)
                run.expect(response.text.contains("device_suppressed"), "accepted after the restore: \(response.text)")
                let running = "select count(*) from afterpush.erasures where finished_at is null"
                let isDone = await run.wait(60) { try await copy.value(running) == "0" }
                run.expect(isDone, "the device was not erased again")
                await again.stop()
                try await tool("pg_dump", ["-Fp", "-f", dump, "-d", restored])
                let text = String(decoding: try Data(contentsOf: URL(filePath: dump)), as: UTF8.self)
                run.expect(!text.contains(subject), "the restored database names the subject")
                run.expect(text.contains("bystander"), "the bystander's events are missing")
                run.expect(try await copy.maintenance.verify().isEmpty, "rollup verify")
                run.expect(try await Self.rollups(copy) == counted, "counts changed")
                for file in try FileManager.default.contentsOfDirectory(atPath: spool) {
                    let bytes = try Data(contentsOf: URL(filePath: "\(spool)/\(file)"))
                    run.expect(bytes.range(of: Data(subject.utf8)) == nil, "\(file) names the subject")
                }
                await copy.database.shutdown()
                await app.database.shutdown()
            }
        }

        private func postEvents(_ subject: String, _ app: TestApp, _ client: TestClient) async throws {
            for device in [subject, "bystander"] {
                let events = [
                    EventJSON.event(["device_id": device, "kind": "sent"]),
                    EventJSON.event([
                        "device_id": device, "kind": "text_input", "action_identifier": "a",
                        "user_text": "I am \(device)",
                    ]),
                    EventJSON.event(["device_id": device, "kind": "app_opened"]),
                    EventJSON.event(["device_id": device, "event_id": "no"]),
                ]
                _ = try await client.post("/v1/events", EventJSON.body(events), key: app.sendKey)
            }
        }

        private func erase(_ subject: String, _ app: TestApp, _ client: TestClient, _ key: String) async throws {
            let path = "/v1/devices/\(subject)"
            guard try await client.delete(path, key: key).status == 202 else {
                throw Program.Failed(message: "the erasure was not accepted")
            }
            try await app.waitUntil("it is erased") {
                try await client.get(path + "/erasure", key: key).json()["done"] as? Bool == true
            }
        }

        private static func rollups(_ app: TestApp) async throws -> String? {
            try await app.value(
                "select string_agg(r::text, ' ' order by r::text) from afterpush.rollup_deliveries as r")
        }

        @Test func `E37: clock changes under load have no effect`() async throws {
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
                // Timers use the monotonic clock, which the library leaves unchanged.
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
