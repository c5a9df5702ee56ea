import Foundation
import Glibc
import Logging

/// Creates, starts and stops a cluster with PostgreSQL's programs. The caller holds the opening lock.
struct ClusterServer: Sendable {
    let place: ClusterLocation
    let configuration: LocalCluster.Configuration
    let tool: PostgresTool
    let logger: Logger

    static let superuser = "afterpush"
    /// The line of postgresql.conf below which operators put their own settings.
    static let includeLine = "include '../postgres.conf'"

    var layout: ClusterLayout { self.place.layout }

    var conninfo: String { Self.conninfo(self.layout, database: self.configuration.databaseName) }

    /// Returns a connection string that takes neither another address nor a secret from the user's files, such as the
    /// password of another server, for which the server's user could ask root's program. Variables of the environment have
    /// no effect after `ConnectionEnvironment.clear()`.
    static func conninfo(_ layout: ClusterLayout, database: String) -> String {
        // libpq reads no password file if there is a password, and needs none of its own here.
        self.address(layout, database: database)
            + " hostaddr='' password=none passfile=/dev/null/none sslmode=disable channel_binding=disable gssencmode=disable"
            + " krbsrvname=none requirepeer='' target_session_attrs=any options=''"
    }

    /// Returns the connection string that says where the server is.
    static func address(_ layout: ClusterLayout, database: String) -> String {
        func quoted(_ text: String) -> String {
            "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
        }
        return "host=\(quoted(layout.socketDirectory)) port=\(ClusterLayout.port) user=\(Self.superuser) "
            + "dbname=\(quoted(database))"
    }

    static func find(
        _ place: ClusterLocation, _ configuration: LocalCluster.Configuration, logger: Logger
    ) async throws -> ClusterServer {
        let version = ClusterUpgrade.version(of: place.layout)
        let binaries = try await PostgresBinaries.find(
            configured: configuration.binDirectory,
            dataVersion: version.isEmpty ? nil : version,
            dataDirectory: place.layout.cluster)
        // pg_ctl passes paths to a shell without escaping them, so it gets relative ones without special characters.
        let tool = PostgresTool(
            directory: binaries.directory, user: place.user, workingDirectory: place.layout.base)
        return ClusterServer(place: place, configuration: configuration, tool: tool, logger: logger)
    }

    /// Runs initdb if there is no cluster; returns whether it did.
    func createIfMissing() async throws -> Bool {
        guard !self.layout.exists else {
            try self.checkThrowaway()
            return false
        }
        let unfinished = self.layout.unfinished
        // An interrupted initdb may have left this directory. A complete cluster has the other name.
        try? self.place.files.unlinkTree(unfinished)
        try self.place.files.makePrivateDirectory(unfinished)
        try await Progress.report("creating the database cluster", self.logger) {
            _ = try await self.tool.run("initdb", self.initdbArguments)
        }
        try self.place.files.append("\n\(Self.includeLine)\n", to: unfinished + "/postgresql.conf")
        if self.configuration.throwaway {
            try self.place.files.touch(unfinished + "/afterpush.throwaway")
        }
        try self.place.files.rename(unfinished, to: self.layout.cluster)
        return true
    }

    /// Runs a statement as the superuser and returns its result as text.
    func query(_ sql: String, database: String = "postgres") async throws -> String {
        let own = PostgresTool(directory: self.tool.directory, user: nil)
        let server = [
            "--host", self.layout.socketDirectory, "--port", "\(ClusterLayout.port)", "--username", Self.superuser,
        ]
        return try await own.run("psql", server + ["-X", "-A", "-t", "-q", "-d", database, "-c", sql])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Creates the database if it is missing, which also checks that the server responds.
    func ensureDatabase() async throws {
        let name = self.configuration.databaseName
        let own = PostgresTool(directory: self.tool.directory, user: nil)
        let server = [
            "--host", self.layout.socketDirectory, "--port", "\(ClusterLayout.port)", "--username", Self.superuser,
        ]
        let query = "select datname from pg_database"
        let names = try await own.run("psql", server + ["-X", "-A", "-t", "-d", "postgres", "-c", query])
        guard !names.utf8.split(separator: UInt8(ascii: "\n")).contains(where: { $0.elementsEqual(name.utf8) }) else {
            return
        }
        try await own.run("createdb", server + ["--maintenance-db", "postgres", "--", name])
        // A dashboard's login has its limits in Afterpush's database alone.
        let closing = "revoke connect on database postgres, template1 from public"
        try await own.run("psql", server + ["-X", "-q", "-d", "postgres", "-c", closing])
    }

    func stop() async throws {
        guard Postmaster.running(in: self.layout.cluster) != nil else { return }
        let mode = self.configuration.throwaway ? "immediate" : "fast"
        try await self.tool.run(
            "pg_ctl", ["stop", "-s", "-w", "-t", "60", "-m", mode, "-D", ClusterLayout.clusterName])
        // The server removes the record of its process a moment before that ends. systemd would kill it then.
        let end = ContinuousClock.now + .seconds(5)
        while !Postmaster.processes(in: self.layout.cluster).isEmpty, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Refuses to open a real cluster as throwaway, because it could lose data, or a throwaway one as real.
    private func checkThrowaway() throws(LocalClusterError) {
        let isThrowaway = FileManager.default.fileExists(atPath: self.layout.throwawayMark)
        guard isThrowaway != self.configuration.throwaway else { return }
        throw isThrowaway
            ? .throwawayOnly(directory: self.layout.cluster) : .notThrowaway(directory: self.layout.cluster)
    }

    private var initdbArguments: [String] {
        let locale = Self.isKnown(locale: "C.UTF-8") ? "C.UTF-8" : "C"
        let arguments = [
            "-D", self.layout.unfinished, "--username", Self.superuser, "--encoding", "UTF8", "--locale", locale,
            // The connection layer parses some messages, which have to be English.
            "--lc-messages", "C", "--data-checksums", "--auth-local", "trust", "--auth-host", "reject",
            "--no-instructions",
        ]
        return arguments + (self.configuration.throwaway ? ["--no-sync"] : [])
    }

    private static func isKnown(locale: String) -> Bool {
        guard let found = newlocale(1 << LC_CTYPE, locale, nil) else { return false }
        freelocale(found)
        return true
    }
}

/// Logs the progress of long operations.
enum Progress {
    /// Runs `work` and logs a line every five seconds until it ends.
    static func report<T: Sendable>(
        _ what: String, _ logger: Logger, _ work: @Sendable () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for count in 1... {
                    try await Task.sleep(for: .seconds(5))
                    logger.notice("still \(what)", metadata: ["seconds": "\(count * 5)"])
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }
}
