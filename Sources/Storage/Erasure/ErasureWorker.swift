package import Logging
import Postgres
import ServiceLifecycle
import Timing

/// Does the erasures that wait, step by step, for as long as the program runs.
///
/// Any number of workers can run against one database and be killed at any moment: the next one continues.
package struct ErasureWorker: Service {
    private let eraser: Eraser
    private let logger: Logger

    package init(_ eraser: Eraser, logger: Logger) {
        self.eraser = eraser
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let pause: Duration
                do {
                    pause = try await self.work()
                } catch let error as PostgresError where error.sqlState == "55P03" {
                    pause = .milliseconds(Int.random(in: 50...500))
                } catch {
                    self.logger.warning("erasure failed; it will be retried", metadata: ["error": "\(error)"])
                    pause = .seconds(2)
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// One step.
    ///
    /// - Returns: how long to wait after it.
    private func work() async throws -> Duration {
        let eraser = eraser
        switch try await withTimeout(.seconds(80), { try await eraser.step() }) {
        case .idle: return .milliseconds(500)
        case .busy, .waiting: return .milliseconds(100)
        // Between its steps batches are merged: the two take turns.
        case .working: return .milliseconds(10)
        case .search:
            logger.notice("reapplying the suppression list after a restore")
            try await withTimeout(.seconds(24 * 3_600)) { try await eraser.search() }
            return .zero
        }
    }
}
