package import Logging
package import Postgres
import SQLFiles
package import ServiceLifecycle

/// Checks the replica for reports every second, and writes a mark on the primary every few seconds.
///
/// A replica of an idle primary can't know that it misses nothing, so without these commits the `as_of` of its reports
/// would stand still. The marks also show whether a server is a replica of this primary or a copy with writes of its own.
/// The worker also ends sessions of report logins on the replica that take too long.
package struct ReplicaWorker: Service {
    private static let checkPause: Duration = .seconds(1)
    private static let markPause: Duration = .seconds(4)
    private static let sessionPause: Duration = .seconds(10)

    private let replica: ReplicaDatabase
    private let primary: ConnectionPool
    private let logger: Logger

    /// Creates a worker.
    ///
    /// - Parameter primary: Connections to the primary, of the role `afterpush_worker`.
    package init(_ replica: ReplicaDatabase, primary: ConnectionPool, logger: Logger) {
        self.replica = replica
        self.primary = primary
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.repeated(every: Self.checkPause) { await self.replica.state.update() } }
                group.addTask { await self.repeated(every: Self.markPause) { await self.mark() } }
                group.addTask { await self.repeated(every: Self.sessionPause) { await self.endSessions() } }
            }
        }
    }

    private func repeated(every pause: Duration, _ body: () async -> Void) async {
        while !Task.isCancelled {
            await body()
            try? await Task.sleep(for: pause)
        }
    }

    private func mark() async {
        do {
            _ = try await primary.withConnection { try await $0.query(SQLFiles.markForReplicas.text) }
        } catch {
            logger.debug("could not write a mark for the replica", metadata: ["error": "\(error)"])
        }
    }

    /// Ends sessions of report logins on the replica that exceed their time limit. With `hot_standby_feedback`, the
    /// primary keeps all rows that they could still see.
    private func endSessions() async {
        do {
            try await ReportSessionWorker(pool: replica.checks, logger: logger).endOldSessions()
        } catch {
            logger.debug("could not end old sessions of report logins", metadata: ["error": "\(error)"])
        }
    }
}
