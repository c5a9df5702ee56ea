import Foundation
import Glibc
import LocalPostgres
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

extension Faults {
    /// Tests `afterpush backup`, `restore` and `upgrade` under load, and killed at any point.
    @Suite(.serialized) struct BackupFaults {
        @Test func `E38: what was acknowledged before a moment is there after a restore to it`() async throws {
            try await FaultTable.run("E38", "afterpush backup under load, restored to a moment", atMost: 2) { run in
                try await Self.withDirectories { backups, target in
                    try await DedicatedCluster.with(durable: true) { cluster in
                        let app = try await TestApp(conninfo: cluster.conninfo)
                        var moment = ""
                        var acknowledged: Set<UUID> = []
                        let load = FaultLoad(app, run)
                        try await SupervisedCollector.with(app.conninfo, spooling: run.isSpooling) { collector in
                            try await load.against([collector.port]) {
                                try await Task.sleep(for: .milliseconds(300))
                                try await Self.program(["backup", "--data-dir", cluster.directory, "--dir", backups])
                                try await Task.sleep(for: .milliseconds(1_500))
                                acknowledged = Set(load.ledger.entries.filter { $0.value.outcome == .ok }.keys)
                                moment = try await Self.text(Self.now, cluster.conninfo)
                                try await Task.sleep(for: .milliseconds(500))
                            }
                        }
                        try await Self.archiveAll(cluster.conninfo)
                        let start = ContinuousClock.now
                        try await Self.program([
                            "restore", "--data-dir", target, "--dir", backups, "--to", moment,
                        ])
                        run.note("restored after \(FaultTable.seconds(start.duration(to: .now))) s")
                        try await Self.withCluster(target) { conninfo in
                            try await check(load, acknowledged, app, conninfo, run)
                        }
                        await app.database.shutdown()
                    }
                }
            }
        }

        /// Compares a restored database with the ledger, and again after the clients have sent everything again.
        private func check(
            _ load: FaultLoad, _ acknowledged: Set<UUID>, _ app: TestApp, _ conninfo: String, _ run: FaultRun
        ) async throws {
            let copy = TestApp(restored: app, conninfo: conninfo)
            let ids = try await Self.text("select string_agg(event_id::text, ' ') from afterpush.events", conninfo)
            let found = ids.split(separator: " ").compactMap { UUID(uuidString: String($0)) }
            run.expect(Set(found).count == found.count, "an event is there twice")
            let lost = acknowledged.subtracting(found)
            run.expect(lost.isEmpty, "\(lost.count) of \(acknowledged.count) acknowledged events are missing")
            run.note(
                "\(found.count) of \(load.ledger.count) events restored, \(acknowledged.count) acknowledged before")
            run.expect(found.count < load.ledger.count, "the restore did not stop at the moment")
            run.expect(try await copy.maintenance.verify().isEmpty, "rollup verify")
            try await SupervisedCollector.with(conninfo, spooling: run.isSpooling) { collector in
                try await load.replay(to: collector.port)
                try await LedgerAudit([load], run, app: copy).check()
            }
            await copy.database.shutdown()
        }

        @Test func `E40: a device that was erased after the moment is erased again by the restore`() async throws {
            try await FaultTable.run("E40", "erasure, then afterpush restore to before it", atMost: 2) { run in
                try await Self.withDirectories { backups, target in
                    try await DedicatedCluster.with(durable: true) { cluster in
                        let app = try await TestApp(conninfo: cluster.conninfo)
                        let collector = try await Self.collector(
                            storing: ["subject-\(run.seed)", "bystander"], of: app)
                        try await Self.program(["backup", "--data-dir", cluster.directory, "--dir", backups])
                        try await Task.sleep(for: .seconds(1))
                        let moment = try await Self.text(Self.now, cluster.conninfo)
                        try await Self.program([
                            "erase", "subject-\(run.seed)", "--app", app.app.name, "--wait", "--data-dir",
                            cluster.directory,
                        ])
                        await collector.stop()
                        try await Self.archiveAll(cluster.conninfo)
                        try await Self.program([
                            "restore", "--data-dir", target, "--dir", backups, "--to", moment,
                        ])
                        let devices = try await Self.devices(in: target)
                        run.expect(devices == "bystander", "the restored database has \(devices)")
                        await app.database.shutdown()
                    }
                }
            }
        }

        @Test func `a restore erases what was erased after backups went to another directory`() async throws {
            try await Self.withDirectories { backups, target in
                try await DedicatedCluster.with(durable: true) { cluster in
                    let app = try await TestApp(conninfo: cluster.conninfo)
                    let later = backups + "-later"
                    let own = ["--data-dir", cluster.directory]
                    let collector = try await Self.collector(storing: ["subject", "bystander"], of: app)
                    try await Self.program(["backup", "--dir", backups] + own)
                    try await Self.program(["backup", "--dir", later] + own)
                    try await Self.program(["erase", "subject", "--app", app.app.name, "--wait"] + own)
                    await collector.stop()
                    let restore = ["restore", "--data-dir", target, "--dir", backups]
                    // It is somewhere else.
                    try FileManager.default.moveItem(atPath: later, toPath: later + "-moved")
                    await #expect(throws: Program.Failed.self) { try await Self.program(restore) }
                    try FileManager.default.moveItem(atPath: later + "-moved", toPath: later)
                    try await Self.program(restore)
                    #expect(try await Self.devices(in: target) == "bystander")
                    await app.database.shutdown()
                }
            }
        }

        @Test func `a restored cluster that has no backup yet keeps the list beside the configured backups`()
            async throws
        {
            try await Self.withDirectories { backups, target in
                try await DedicatedCluster.with(durable: true) { cluster in
                    let app = try await TestApp(conninfo: cluster.conninfo)
                    let own = ["--data-dir", cluster.directory]
                    let collector = try await Self.collector(storing: ["first", "second", "bystander"], of: app)
                    try await Self.program(["backup", "--dir", backups] + own)
                    try await Self.program(["restore", "--data-dir", target, "--dir", backups])
                    // Where it was erased is another cluster than where it has to be erased again.
                    try await Self.program(["erase", "first", "--app", app.app.name, "--wait"] + own)
                    await collector.stop()
                    try await Self.program(
                        ["erase", "second", "--app", app.app.name, "--wait", "--data-dir", target],
                        environment: ["AFTERPUSH_BACKUP_DIR": backups])
                    #expect(try await Self.devices(in: target) == "bystander")
                    try await Self.program(["restore", "--data-dir", target + "-again", "--dir", backups])
                    #expect(try await Self.devices(in: target + "-again") == "bystander")
                    await app.database.shutdown()
                }
            }
        }

        @Test func `a restore erases what was erased after a restored cluster was backed up in another directory`()
            async throws
        {
            try await Self.withDirectories { backups, target in
                try await DedicatedCluster.with(durable: true) { cluster in
                    let app = try await TestApp(conninfo: cluster.conninfo)
                    let collector = try await Self.collector(storing: ["first", "second", "bystander"], of: app)
                    try await Self.program(["backup", "--dir", backups, "--data-dir", cluster.directory])
                    await collector.stop()
                    func erase(_ device: String) async throws {
                        try await Self.program([
                            "erase", device, "--app", app.app.name, "--wait", "--data-dir", target,
                        ])
                    }
                    /// Returns the devices after a restore from the first directory.
                    func devices(restoredTo directory: String) async throws -> String {
                        try await Self.program(["restore", "--data-dir", directory, "--dir", backups])
                        return try await Self.devices(in: directory)
                    }
                    #expect(try await devices(restoredTo: target) == "bystander first second")
                    // Its settings name no directory, so only the restored cluster itself can know it.
                    try await erase("first")
                    #expect(try await devices(restoredTo: target + "-2") == "bystander second")
                    try await Self.program(["backup", "--dir", backups + "-later", "--data-dir", target])
                    try await erase("second")
                    #expect(try await devices(restoredTo: target + "-3") == "bystander")
                    await app.database.shutdown()
                }
            }
        }

        @Test func `a restore reads the list beside the configured backups, even if no directory names them`()
            async throws
        {
            try await Self.withDirectories { backups, target in
                try await DedicatedCluster.with(durable: true) { cluster in
                    let app = try await TestApp(conninfo: cluster.conninfo)
                    let later = backups + "-later"
                    let own = ["--data-dir", cluster.directory]
                    let collector = try await Self.collector(storing: ["subject", "bystander"], of: app)
                    try await Self.program(["backup", "--dir", backups] + own)
                    // While its disk is not mounted.
                    try FileManager.default.moveItem(atPath: backups, toPath: backups + "-away")
                    try await Self.program(["backup", "--dir", later] + own)
                    try await Self.program(["erase", "subject", "--app", app.app.name, "--wait"] + own)
                    await collector.stop()
                    try FileManager.default.moveItem(atPath: backups + "-away", toPath: backups)
                    try await Self.program(
                        ["restore", "--data-dir", target, "--dir", backups],
                        environment: ["AFTERPUSH_BACKUP_DIR": later])
                    #expect(try await Self.devices(in: target) == "bystander")
                    // The command names one that isn't there.
                    try FileManager.default.moveItem(atPath: later, toPath: later + "-away")
                    let output = try await Self.program(
                        ["restore", "--data-dir", target + "-2", "--dir", backups],
                        environment: ["AFTERPUSH_BACKUP_DIR": later])
                    #expect(output.error.contains("or the cluster name \(later) for backups, but there are none"))
                    await app.database.shutdown()
                }
            }
        }

        @Test func `a backup's own settings run no program when it is verified and restored`() async throws {
            try await Self.withDirectories { backups, target in
                try await DedicatedCluster.with(durable: true) { cluster in
                    let app = try await TestApp(conninfo: cluster.conninfo)
                    let trace = backups + "-trace"
                    // As in a backup that somebody has changed: they stand in a file of the cluster.
                    for name in ["restore_command", "recovery_end_command", "archive_cleanup_command"] {
                        try await Self.script(
                            "alter system set \(name) = 'echo \(name) >> \(trace); false'", cluster.conninfo)
                    }
                    try await Self.program(["backup", "--data-dir", cluster.directory, "--dir", backups])
                    try await Self.program(["backup", "verify", "--dir", backups])
                    try await Self.program(["restore", "--data-dir", target, "--dir", backups])
                    try await Self.withCluster(target) { conninfo in
                        let name = try await Self.text("select name from afterpush.apps", conninfo)
                        #expect(name == app.app.name)
                    }
                    #expect(!FileManager.default.fileExists(atPath: trace))
                    await app.database.shutdown()
                }
            }
        }

        @Test func `E38: a backup that is killed at any point leaves only complete backups`() async throws {
            try await FaultTable.run("E38", "afterpush backup killed", atMost: 1) { run in
                try await Self.withDirectories { backups, _ in
                    try await DedicatedCluster.with(durable: true) { cluster in
                        let arguments = ["backup", "--data-dir", cluster.directory, "--dir", backups]
                        // The first backup begins the archive.
                        try await Self.program(arguments)
                        func complete() -> Int {
                            (try? Self.backups(in: backups).filter { !$0.contains(".") }.count) ?? 0
                        }
                        var number = complete()
                        var command = KilledCommand(arguments, isStepTaken: { complete() > number }) {
                            number = complete()
                        }
                        try await command.measure()
                        var random = SeededGenerator(seed: run.seed)
                        let after = FaultScale.pick(quick: 1, long: 5)
                        var kept = 0
                        for (share, isAfterStep) in KilledCommand.moments(
                            before: Self.points - after, after: after, &random)
                        {
                            if try await command.kill(at: share, ofPartAfterStep: isAfterStep) { kept += 1 }
                            let unfinished = try Self.backups(in: backups).filter { $0.hasSuffix(".partial") }
                            run.expect(unfinished.count <= 1, "more than one unfinished backup: \(unfinished)")
                        }
                        run.expect(kept >= after && kept < Self.points, "\(kept) killed after the step")
                        run.note("\(kept) of \(Self.points) killed when the backup was complete")
                        try await Self.program(arguments)
                        let left = try Self.backups(in: backups)
                        run.expect(left.allSatisfy { !$0.contains(".") }, "something unfinished is left: \(left)")
                        for name in left {
                            try await Self.program(
                                ["backup", "verify", name, "--data-dir", cluster.directory, "--dir", backups])
                        }
                        run.note("\(left.count) complete backups after \(Self.points) kills, each verified")
                    }
                }
            }
        }

        @Test func `E38: a restore that is killed at any point leaves the old cluster or the new one`() async throws {
            try await FaultTable.run("E38", "afterpush restore killed", atMost: 1) { run in
                try await Self.withDirectories { backups, target in
                    let places = ["--data-dir", target, "--dir", backups]
                    var moment = ""
                    try await Self.withCluster(target) { conninfo in
                        try await Self.script("create table state as select 'backup' as name", conninfo)
                        try await Self.program(["backup"] + places)
                        try await Task.sleep(for: .seconds(1))
                        moment = try await Self.text(Self.now, conninfo)
                        // Without a later transaction in the archive, the moment could not be reached.
                        try await Self.script("update state set name = 'changed'", conninfo)
                        try await Self.archiveAll(conninfo)
                    }
                    let arguments = ["restore", "--replace", "--to", moment] + places
                    // The former cluster gets its name in the step before the exchange.
                    func former() throws -> [String] {
                        try FileManager.default.contentsOfDirectory(atPath: target).filter { $0.contains(".before-") }
                    }
                    var command = KilledCommand(arguments, isStepTaken: { try !former().isEmpty }) {
                        for name in try former() { try FileManager.default.removeItem(atPath: "\(target)/\(name)") }
                        try await Self.withCluster(target) { conninfo in
                            try await Self.script("update state set name = 'changed'", conninfo)
                        }
                    }
                    try await command.measure()
                    var random = SeededGenerator(seed: run.seed)
                    var states: [String] = []
                    for (share, isAfterStep) in KilledCommand.moments(
                        before: Self.points - Self.points / 2, after: Self.points / 2, &random)
                    {
                        let isTaken = try await command.kill(at: share, ofPartAfterStep: isAfterStep)
                        try await Self.withCluster(target) { conninfo in
                            let state = try await Self.text("select name from state", conninfo)
                            run.expect(state == "changed" || isTaken && state == "backup", "\(state), \(isTaken)")
                            states.append(state)
                        }
                    }
                    run.note("after the kills: \(states.joined(separator: " "))")
                    let restored = states.count { $0 == "backup" }
                    run.expect(
                        restored >= Self.points / 3 && restored < Self.points,
                        "\(restored) of \(Self.points) killed after the exchange")
                    try await Self.program(arguments)
                    try await Self.withCluster(target) { conninfo in
                        run.expect(try await Self.text("select name from state", conninfo) == "backup", "not restored")
                    }
                }
            }
        }
    }
}

extension Faults.BackupFaults {
    /// The number of random points at which a command is killed.
    static var points: Int { FaultScale.pick(quick: 3, long: 20) }

    /// The server's clock, as `--to` takes it.
    static let now = """
        select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        """

    /// Runs a body with a backup directory and an empty data directory, which the server's user can reach.
    static func withDirectories(_ body: (_ backups: String, _ target: String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path + "/data", withIntermediateDirectories: true)
        for directory in [path, path + "/data"] { chmod(directory, 0o755) }
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path + "/backups", path + "/data")
    }

    @discardableResult
    static func program(_ arguments: [String], environment: [String: String] = [:]) async throws -> Program.Output {
        let output = try await Program.run(arguments, environment: environment)
        guard output.status == 0 else {
            throw Program.Failed(message: "\(arguments.joined(separator: " ")): \(output.error)")
        }
        return output
    }

    /// The names of the backups, unfinished ones included.
    static func backups(in directory: String) throws -> [String] {
        let archives = directory + "/archives"
        return try FileManager.default.contentsOfDirectory(atPath: archives).flatMap {
            try FileManager.default.contentsOfDirectory(atPath: "\(archives)/\($0)/base")
        }.sorted()
    }

    /// Waits until the log up to now is archived.
    static func archiveAll(_ conninfo: String) async throws {
        let name = try await text(
            "select pg_walfile_name(pg_switch_wal()) from pg_create_restore_point('test')", conninfo)
        let deadline = ContinuousClock.now + .seconds(60)
        while try await text("select last_archived_wal >= '\(name)' from pg_stat_archiver", conninfo) != "t" {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "\(name) is not archived") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Runs a body while the cluster of a directory runs, with the programs of a directory or those found.
    static func withCluster(
        _ directory: String, programs: String? = nil, _ body: (_ conninfo: String) async throws -> Void
    ) async throws {
        var configuration = LocalCluster.Configuration(dataDirectory: directory)
        configuration.binDirectory = programs
        configuration.startTimeout = .seconds(60)
        let cluster = try await LocalCluster.open(configuration, logger: TestCluster.logger)
        let result: Result<Void, any Error>
        do { result = .success(try await body(cluster.conninfo)) } catch { result = .failure(error) }
        await cluster.close()
        try result.get()
    }

    /// Starts a collector that stores an event of each device.
    static func collector(storing devices: [String], of app: TestApp) async throws -> CollectorProcess {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let events = devices.map { EventJSON.event(["device_id": $0]) }
        _ = try await TestClient(url: collector.url).post("/v1/events", EventJSON.body(events), key: app.sendKey)
        return collector
    }

    /// Returns the devices that the cluster of a directory has events of.
    static func devices(in directory: String) async throws -> String {
        var devices = ""
        try await withCluster(directory) { conninfo in
            devices = try await text(
                "select string_agg(distinct device_id, ' ' order by device_id) from afterpush.events", conninfo)
        }
        return devices
    }

    static func text(_ sql: String, _ conninfo: String) async throws -> String {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        let text = try await connection.query(sql, format: .text).first?.text(0) ?? ""
        await connection.close()
        return text
    }

    static func script(_ sql: String, _ conninfo: String) async throws {
        try await TestCluster.script(sql, on: conninfo)
    }
}
