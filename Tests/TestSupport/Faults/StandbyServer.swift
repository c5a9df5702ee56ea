import Foundation
import Glibc
import Postgres

/// A streaming replica of a test's cluster, in a directory of its own.
package final class StandbyServer: @unchecked Sendable {
    // Safe: a test calls its methods one after another.
    package let conninfo: String
    /// The directory of its socket, in which the data are as well.
    package let directory: String
    private let user: passwd?
    private let settings: [String]
    private var process: ChildProcess?

    /// Copies the primary with `pg_basebackup`, and starts the copy as its standby.
    ///
    /// - Parameter settings: Settings of the standby, such as `max_standby_streaming_delay=0`.
    package init(of primary: String, settings: [String] = []) async throws {
        guard let socket = primary.firstMatch(of: /host='([^']+)'/)?.1 else {
            throw Program.Failed(message: "the primary has no socket: \(primary)")
        }
        directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        conninfo = primary.replacing(/host='[^']+'/, with: "host='\(directory)'")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        ExitCleanup.register(directory: directory)
        // Started by root, it has to be the user of the primary, who alone may connect to its socket.
        var status = stat()
        guard stat(String(socket), &status) == 0 else { throw Program.Failed(message: "no directory \(socket)") }
        user = getuid() == 0 ? getpwuid(status.st_uid)?.pointee : nil
        if let user { chown(directory, user.pw_uid, user.pw_gid) }
        self.settings = settings
        let copy = try await run([
            "pg_basebackup", "--pgdata", directory + "/data", "--write-recovery-conf", "--checkpoint", "fast",
            "--host", String(socket), "--port", "5432", "--username", "afterpush", "--no-password",
        ])
        guard copy.status == 0 else { throw Program.Failed(message: copy.error) }
        // The settings of the program's own cluster are beside its data.
        let data = try await Self.value("show data_directory", on: primary) ?? ""
        try FileManager.default.copyItem(
            atPath: URL(filePath: data).deletingLastPathComponent().path + "/postgres.conf",
            toPath: directory + "/postgres.conf")
        chmod(directory + "/postgres.conf", 0o644)
        try await start()
    }

    deinit { stop() }

    /// Starts it, and waits until it answers.
    package func start() async throws {
        let options = (["unix_socket_directories=\(directory)", "listen_addresses="] + settings).flatMap { ["-c", $0] }
        // Its user can't read the directory of the tests.
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/env"),
            ["--chdir=/"] + self.command(["postgres", "-D", directory + "/data"] + options),
            error: URL(filePath: directory + "/log"))
        ExitCleanup.register(collector: process.processIdentifier)
        self.process = process
        let deadline = ContinuousClock.now + .seconds(30)
        while (try? await value("select 1")) != "1" {
            guard process.isRunning, ContinuousClock.now < deadline else {
                let log = FileManager.default.contents(atPath: directory + "/log")
                throw Program.Failed(message: "the standby: \(log.map { String(decoding: $0, as: UTF8.self) } ?? "")")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Ends it as a crash would.
    package func kill() async {
        guard let process else { return }
        Glibc.kill(process.processIdentifier, SIGQUIT)
        while process.isRunning { try? await Task.sleep(for: .milliseconds(20)) }
        ExitCleanup.forget(collector: process.processIdentifier)
        self.process = nil
    }

    /// Makes it a primary.
    package func promote() async throws {
        guard try await value("select pg_promote(true, 30)") == "t" else {
            throw Program.Failed(message: "the standby was not promoted")
        }
    }

    package func pauseReplay() async throws {
        _ = try await value("select pg_wal_replay_pause()")
        while try await value("select pg_get_wal_replay_pause_state()") != "paused" {
            // It pauses before the next record.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    package func resumeReplay() async throws {
        _ = try await value("select pg_wal_replay_resume()")
    }

    /// Waits until it has replayed everything that the primary has committed so far.
    package func catchUp(with app: TestApp) async throws {
        let position = try await app.superuserValue("select pg_current_wal_flush_lsn()") ?? ""
        try await app.waitUntil("the standby has replayed \(position)") {
            try await self.value("select pg_last_wal_replay_lsn() >= '\(position)'") == "t"
        }
    }

    /// The single value of a query as text.
    @discardableResult
    package func value(_ sql: String) async throws -> String? {
        try await Self.value(sql, on: conninfo)
    }

    private static func value(_ sql: String, on conninfo: String) async throws -> String? {
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: conninfo), logger: TestCluster.logger)
        do {
            let value = try await connection.query(sql, format: .text).first?.text(0)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }

    private func stop() {
        if let process, process.isRunning {
            Glibc.kill(process.processIdentifier, SIGQUIT)
            process.waitUntilExit()
            ExitCleanup.forget(collector: process.processIdentifier)
        }
        try? FileManager.default.removeItem(atPath: directory)
    }

    private func run(_ words: [String]) async throws -> Program.Output {
        let command = try self.command(words)
        return try await Program.run(Array(command.dropFirst()), program: URL(filePath: command[0]))
    }

    /// The command that runs a program of PostgreSQL as the server's user.
    private func command(_ words: [String]) throws -> [String] {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        guard let newest = versions.compactMap({ Int($0) }).max() else {
            throw Program.Failed(message: "PostgreSQL is not installed; run `make test-packages`")
        }
        let program = ["/usr/lib/postgresql/\(newest)/bin/\(words[0])"] + words.dropFirst()
        guard let user else { return program }
        return [
            "/usr/bin/setpriv", "--reuid", "\(user.pw_uid)", "--regid", "\(user.pw_gid)", "--clear-groups", "--",
        ] + program
    }
}
