import Foundation
import Subprocess
import Testing

/// A temporary PostgreSQL cluster for one suite, on a Unix socket.
struct ThrowawayCluster {
    /// The cluster of the current test's suite.
    @TaskLocal static var current: ThrowawayCluster?

    let directory: String
    private(set) var database = "postgres"
    private let binaries: String
    /// Whether the test runs as root; PostgreSQL refuses to do so, and then runs as another user.
    private static let isRoot = getuid() == 0

    /// The connection string, whose host is the cluster's directory, which contains the socket.
    var conninfo: String { "host=\(directory) user=postgres dbname=\(database)" }

    private init(directory: String, binaries: String) {
        self.directory = directory
        self.binaries = binaries
    }

    /// Returns the same cluster with a fresh database.
    func withNewDatabase() async throws -> ThrowawayCluster {
        var cluster = self
        cluster.database = "t" + UUID().uuidString.filter(\.isHexDigit).lowercased()
        _ = try await psql(["-c", "create database \(cluster.database)"])
        return cluster
    }

    static func with<T: Sendable>(_ body: (ThrowawayCluster) async throws -> T) async throws -> T {
        let directory = "/tmp/reports-\(UUID().uuidString.prefix(8))"
        let binaries = try await output("pg_config", ["--bindir"]).trimmingCharacters(in: .newlines)
        let cluster = ThrowawayCluster(directory: directory, binaries: binaries)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        if isRoot { _ = try await output("chown", ["postgres", directory]) }
        try await cluster.server("initdb", ["-D", "\(directory)/data", "-A", "trust", "-U", "postgres", "-N"])
        let options = "-c listen_addresses='' -c unix_socket_directories='\(directory)' -c fsync=off"
        let data = ["-D", "\(directory)/data", "-l", "\(directory)/log"]
        try await cluster.server("pg_ctl", data + ["-o", options, "-w", "start"])
        do {
            let value = try await body(cluster)
            try await cluster.server("pg_ctl", data + ["-m", "immediate", "stop"])
            return value
        } catch {
            try await cluster.server("pg_ctl", data + ["-m", "immediate", "stop"])
            throw error
        }
    }

    /// Returns the output of psql, with fields separated by `|` and without headings.
    func psql(_ arguments: [String]) async throws -> String {
        try await Self.output("psql", ["-X", "-qAt", "-v", "ON_ERROR_STOP=1", "-d", conninfo] + arguments)
    }

    private func server(_ program: String, _ arguments: [String]) async throws {
        let command = ["\(binaries)/\(program)"] + arguments
        _ =
            try await Self.isRoot
            ? Self.output("runuser", ["-u", "postgres", "--"] + command) : Self.output("env", command)
    }

    struct Failed: Error {
        let program: String
        let message: String
    }

    static func output(_ program: String, _ arguments: [String], input: String = "") async throws -> String {
        let result = try await run(
            .name(program), arguments: Arguments(arguments), input: .string(input),
            output: .string(limit: 1 << 22), error: .string(limit: 1 << 16))
        guard result.terminationStatus.isSuccess else {
            throw Failed(program: program, message: result.standardError)
        }
        return result.standardOutput
    }
}

/// Starts one cluster for all tests of a suite.
struct ThrowawayClusterTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ThrowawayCluster.with { cluster in
            try await ThrowawayCluster.$current.withValue(cluster) { try await function() }
        }
    }
}

extension Trait where Self == ThrowawayClusterTrait {
    static var throwawayCluster: Self { ThrowawayClusterTrait() }
}
