import Logging
import Postgres
import SQLFiles
import Storage

/// What the server's archiver did last.
struct ArchiveHealth: Sendable, Equatable {
    /// Whether its last attempt failed, and the file of that attempt.
    var hasFailed: Bool
    var file: String?
    /// The seconds since a file was archived, or nil if none was.
    var age: Double?
    /// The number of files that wait.
    var waiting: Int
    /// The number of failed attempts since the server began to count.
    var failures: Int

    /// Asks a server.
    ///
    /// - Parameter conninfo: A superuser's connection, which may list the files that wait.
    static func read(_ conninfo: String, logger: Logger) async throws -> ArchiveHealth {
        var configuration = PostgresConfiguration(searchingOnlyPostgres: conninfo)
        configuration.applicationName = "afterpush archive"
        let connection = try await Connection.open(configuration, logger: logger)
        do {
            let row = try await connection.query(SQLFiles.checkArchive.text)[0]
            await connection.close()
            return ArchiveHealth(
                hasFailed: try row.decode(Bool.self, column: 0), file: try row.decode(String?.self, column: 1),
                age: try row.decode(Double?.self, column: 2), waiting: Int(try row.decode(Int64.self, column: 3)),
                failures: Int(try row.decode(Int64.self, column: 4)))
        } catch {
            await connection.close()
            throw error
        }
    }
}

/// Counts the attempts to archive that have failed since the last success, which the server does not count.
struct ArchiveFailures {
    /// The server's count at the last success.
    private var base: Int?

    /// Returns the number of failed attempts since the last success, as far as it was seen.
    mutating func count(_ health: ArchiveHealth) -> Int {
        guard health.hasFailed else {
            base = health.failures
            return 0
        }
        // The failure itself was not seen before, or the server's count was reset.
        if base.map({ $0 >= health.failures }) ?? true { base = health.failures - 1 }
        return health.failures - (base ?? 0)
    }
}
