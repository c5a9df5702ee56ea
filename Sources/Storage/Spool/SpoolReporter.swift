import AfterpushWire
import Foundation
package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle

/// Tells the database what still waits in the spool, for the report `health`: within a second when it changed, else now
/// and then, as far as the database answers.
package struct SpoolReporter: Service {
    private static let pause: Duration = .seconds(1)
    /// Pauses without a change after which it tells all the same.
    private static let silence = 20

    private let spool: Spool?
    private let pool: ConnectionPool
    private let breaker: CircuitBreaker
    private let logger: Logger

    /// - Parameters:
    ///   - spool: nil if it is switched off.
    ///   - pool: of the role that takes events.
    package init(_ spool: Spool?, pool: ConnectionPool, breaker: CircuitBreaker, logger: Logger) {
        self.spool = spool
        self.pool = pool
        self.breaker = breaker
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: Waiting?
            var silent = 0
            while !Task.isCancelled {
                let waiting = await waiting
                silent += 1
                if let waiting, waiting != told || silent >= Self.silence, await tell(waiting) {
                    told = waiting
                    silent = 0
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private struct Waiting: Equatable {
        let events: Int
        let oldest: AfterpushWire.Timestamp?
    }

    private var waiting: Waiting? {
        get async {
            guard let status = await spool?.status else { return nil }
            return Waiting(events: status.events, oldest: status.oldest)
        }
    }

    private func tell(_ waiting: Waiting) async -> Bool {
        guard let spool else { return false }
        let place = ProcessInfo.processInfo.hostName + ":" + spool.fileLock.base
        let oldest = waiting.oldest.map { Parameter.unknown($0.description) } ?? .unknown(nil)
        do {
            try await breaker.ask(within: .seconds(3)) {
                try await pool.withConnection { connection in
                    _ = try await connection.query(
                        SQLFiles.tellSpool.text, [.text(place), .int8(Int64(waiting.events)), oldest], prepared: true)
                }
            }
            return true
        } catch {
            logger.debug("the database was not told what is spooled", metadata: ["error": "\(error)"])
            return false
        }
    }
}
