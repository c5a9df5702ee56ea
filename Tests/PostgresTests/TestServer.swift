import Foundation
import Glibc
import LocalPostgres
import Logging

@testable import Postgres

/// A throwaway server for the tests of this process, stopped when it ends.
enum TestServer {
    static let logger = Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() })

    /// A directory of its own, removed at exit; open to all, as root's server runs as another user.
    static func directory(_ name: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-\(name)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o755)
        return path
    }

    static func open(_ name: String, in directory: String? = nil) async throws -> LocalCluster {
        var configuration = LocalCluster.Configuration(dataDirectory: try directory ?? Self.directory(name))
        configuration.throwaway = true
        return try await LocalCluster.open(configuration, logger: Self.logger)
    }

    static func configuration() async throws -> PostgresConfiguration {
        PostgresConfiguration(conninfo: try await Self.shared.value.conninfo)
    }

    static func connect(
        _ change: (inout PostgresConfiguration) -> Void = { _ in }
    ) async throws -> Connection {
        var configuration = try await Self.configuration()
        change(&configuration)
        return try await Connection.open(configuration, logger: Self.logger)
    }

    /// The error of an attempt to connect that has to fail.
    static func refusal(_ conninfo: String, timeout: Duration) async -> PostgresError? {
        var configuration = PostgresConfiguration(conninfo: conninfo)
        configuration.connectTimeout = timeout
        do {
            _ = try await Connection.open(configuration, logger: Self.logger)
            return nil
        } catch {
            return error
        }
    }

    /// One server for all: a test that stops or kills one opens its own.
    private static let shared = Task {
        let cluster = try await Self.open("postgres-tests")
        Leftovers.register(cluster)
        return cluster
    }
}

/// What has to go when the process ends: Swift Testing has no place for it.
private enum Leftovers {
    nonisolated(unsafe) private static var cluster: LocalCluster?

    static func register(_ cluster: LocalCluster) {
        self.cluster = cluster
        atexit {
            guard let cluster = Leftovers.cluster else { return }
            if let pid = cluster.postmasterPID { kill(pid, SIGQUIT) }
            while cluster.postmasterPID != nil { usleep(10_000) }
            try? FileManager.default.removeItem(atPath: cluster.directory)
        }
    }
}
