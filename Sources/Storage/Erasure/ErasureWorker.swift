package import Logging
import Postgres
import ServiceLifecycle
import Timing

/// Runs waiting erasures step by step, for as long as the program runs.
///
/// Any number of workers can run with one database. If one is killed, the next one continues its work.
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
                } catch let error as PostgresError where error.isLockTimeout {
                    pause = .milliseconds(Int.random(in: 50...500))
                } catch {
                    self.logger.warning("erasure failed; it will be retried", metadata: ["error": "\(error)"])
                    pause = .seconds(2)
                }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Runs one step and returns the pause before the next one.
    private func work() async throws -> Duration {
        let eraser = eraser
        switch try await withTimeout(.seconds(80), { try await eraser.step() }) {
        case .idle: return .milliseconds(500)
        case .busy, .waiting: return .milliseconds(100)
        // The pause lets the rollup worker merge batches between steps.
        case .working: return .milliseconds(10)
        case .search:
            logger.notice("reapplying the suppression list after a restore")
            try await withTimeout(.seconds(24 * 3_600)) { try await eraser.search() }
            return .zero
        }
    }
}
