import Foundation
import Glibc
import LocalPostgres
import Logging
import Synchronization

@testable import Postgres

/// A temporary server for the tests of this process, stopped when the process ends.
enum TestServer {
    static let logger = Logger(label: "tests", factory: { _ in SwiftLogNoOpLogHandler() })

    /// A new directory, removed at exit; all users can enter it, because root's server runs as another user.
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

    /// The error of a connection attempt that is expected to fail.
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

    /// The server that all tests share; a test that stops or kills a server opens its own.
    private static let shared = Task {
        let cluster = try await Self.open("postgres-tests")
        Leftovers.register(cluster)
        return cluster
    }
}

/// Cleans up when the process ends, for which Swift Testing has no hook.
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

/// A value that several tasks of a test can write.
final class SharedValue<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        self.mutex = Mutex(value)
    }

    var value: Value { self.mutex.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        self.mutex.withLock { body(&$0) }
    }
}
