import Foundation
import Glibc
import LocalPostgres
import Postgres
import TestSupport

/// A base backup of a running cluster, which is restored with WAL to a point in time.
actor PointInTimeBackup {
    private let directory: String
    private let copies: String
    private var moment = ""

    /// Creates a backup, which is not taken yet.
    ///
    /// - Parameters:
    ///   - directory: The cluster's directory. Its WAL is archived to `wal` in `copies`.
    init(of directory: String, in copies: String) {
        self.directory = directory
        self.copies = copies
    }

    /// Copies the files of the running cluster.
    func take(_ conninfo: String) async throws {
        var configuration = PostgresConfiguration(conninfo: conninfo)
        configuration.statementTimeout = .seconds(60)
        configuration.replyTimeout = .seconds(70)
        let connection = try await Connection.open(configuration, logger: TestCluster.logger)
        _ = try await connection.query("select pg_backup_start('test', true)")
        // Files change while they are copied, which the WAL corrects.
        _ = try await Program.run(["-a", directory, copies + "/base"], program: URL(filePath: "/usr/bin/cp"))
        let label = try await connection.query("select labelfile from pg_backup_stop()", format: .text).first?.text(0)
        try Data((label ?? "").utf8).write(to: URL(filePath: copies + "/base/postgres/backup_label"))
        await connection.close()
    }

    /// Sets the present as the recovery target.
    func mark(_ conninfo: String) async throws {
        moment = try await text("select clock_timestamp()::text", conninfo)
    }

    /// Waits until all WAL up to now is archived.
    func finish(_ conninfo: String) async throws {
        _ = try await text("select txid_current()::text", conninfo)
        let last = try await text("select pg_walfile_name(pg_switch_wal())", conninfo)
        let deadline = ContinuousClock.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: "\(copies)/wal/\(last)") {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "the WAL is not archived") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func restore() async throws -> LocalCluster {
        let cluster = copies + "/base/postgres"
        for name in ["/postmaster.pid", "/postmaster.opts"] { unlink(cluster + name) }
        let settings = """
            restore_command = 'cp \(copies)/wal/%f %p'
            recovery_target_time = '\(moment)'
            recovery_target_action = 'promote'
            archive_mode = off
            """
        let file = try FileHandle(forWritingTo: URL(filePath: cluster + "/postgresql.auto.conf"))
        try file.seekToEnd()
        try file.write(contentsOf: Data(("\n" + settings + "\n").utf8))
        try file.close()
        // With the same owner as the other files.
        let signal = cluster + "/recovery.signal"
        _ = try await Program.run(["-a", cluster + "/PG_VERSION", signal], program: URL(filePath: "/usr/bin/cp"))
        _ = try await Program.run(
            ["--reference=\(cluster)/PG_VERSION", cluster + "/backup_label"], program: URL(filePath: "/usr/bin/chown"))
        chmod(copies, 0o755)
        var configuration = LocalCluster.Configuration(dataDirectory: copies + "/base")
        configuration.throwaway = true
        configuration.startTimeout = .seconds(120)
        let restored = try await LocalCluster.open(configuration, logger: TestCluster.logger)
        let deadline = ContinuousClock.now + .seconds(60)
        while try await text("select pg_is_in_recovery()::text", restored.conninfo) != "false" {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "the recovery did not end") }
            try await Task.sleep(for: .milliseconds(50))
        }
        return restored
    }

    func close(_ restored: LocalCluster) async {
        await restored.close()
    }

    private func text(_ sql: String, _ conninfo: String) async throws -> String {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        let text = try await connection.query(sql, format: .text).first?.text(0) ?? ""
        await connection.close()
        return text
    }
}
