package import Logging
package import Postgres
import SQLFiles
package import ServiceLifecycle

/// Checks the replica for reports every second, and makes sure that the primary commits something every few seconds.
///
/// A replica of an idle primary can't know that it misses nothing, so without these commits the `as_of` of its reports
/// would stand still.
package struct ReplicaWorker: Service {
    private static let checkPause: Duration = .seconds(1)
    private static let commitPause: Duration = .seconds(4)

    private let replica: Replica
    private let primary: ConnectionPool
    private let logger: Logger

    /// Creates a worker.
    ///
    /// - Parameter primary: Connections to the primary, of any role.
    package init(_ replica: Replica, primary: ConnectionPool, logger: Logger) {
        self.replica = replica
        self.primary = primary
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.repeated(every: Self.checkPause) { await self.replica.update() } }
                group.addTask { await self.repeated(every: Self.commitPause) { await self.commit() } }
            }
        }
    }

    private func repeated(every pause: Duration, _ body: () async -> Void) async {
        while !Task.isCancelled {
            await body()
            try? await Task.sleep(for: pause)
        }
    }

    private func commit() async {
        do {
            _ = try await primary.withConnection { try await $0.query(SQLFiles.commitForReplicas.text) }
        } catch {
            logger.debug("could not commit for the replica", metadata: ["error": "\(error)"])
        }
    }
}
