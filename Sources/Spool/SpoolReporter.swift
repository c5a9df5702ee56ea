package import AfterpushWire
import Foundation
package import Logging
import ServiceLifecycle

/// Reports the waiting events of the spool to the database, for the report `health`.
///
/// It reports a change within a second and repeats its report every 20 seconds, as long as the database answers.
package struct SpoolReporter: Service {
    private static let pause: Duration = .seconds(1)
    /// The number of pauses without a change after which it repeats its report.
    private static let silence = 20

    private let spool: Spool?
    private let store: any SpoolStatusStore
    private let breaker: CircuitBreaker
    private let logger: Logger

    /// Creates a reporter for a spool.
    ///
    /// - Parameter spool: The spool, or `nil` if it is switched off.
    package init(_ spool: Spool?, store: any SpoolStatusStore, breaker: CircuitBreaker, logger: Logger) {
        self.spool = spool
        self.store = store
        self.breaker = breaker
        self.logger = logger
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var reported: Waiting?
            var silent = 0
            while !Task.isCancelled {
                let waiting = await waiting
                silent += 1
                if let waiting, waiting != reported || silent >= Self.silence, await report(waiting) {
                    reported = waiting
                    silent = 0
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private struct Waiting: Equatable {
        let events: Int
        let oldest: Timestamp?
    }

    private var waiting: Waiting? {
        get async {
            guard let status = await spool?.status else { return nil }
            return Waiting(events: status.events, oldest: status.oldest)
        }
    }

    private func report(_ waiting: Waiting) async -> Bool {
        guard let spool else { return false }
        let place = ProcessInfo.processInfo.hostName + ":" + spool.fileLock.base
        do {
            try await breaker.run(within: .seconds(3)) {
                try await store.put(place: place, events: waiting.events, oldest: waiting.oldest)
            }
            return true
        } catch {
            logger.debug("could not report the spool's status to the database", metadata: ["error": "\(error)"])
            return false
        }
    }
}

/// Persists the status that collectors report of their spools.
package protocol SpoolStatusStore: Sendable {
    /// Replaces the status of a spool.
    ///
    /// - Parameters:
    ///   - place: The host and path of the spool.
    ///   - oldest: The time at which the oldest waiting event was received, or `nil` if none waits.
    func put(place: String, events: Int, oldest: Timestamp?) async throws
}
