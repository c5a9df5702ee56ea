package import AfterpushWire
import Foundation
package import Logging
import ServiceLifecycle

/// Reports the waiting events of the spool to the database, for the report `health` and for retention.
///
/// It reports a change within a second and repeats its report every five seconds, as long as the database answers. Retention
/// seals no hour until each collector has reported an empty spool, or has stopped with one.
package struct SpoolReporter: Service {
    private static let pause: Duration = .seconds(1)
    /// The number of pauses without a change after which it repeats its report.
    private static let silence = 5
    /// How long it tries to report that it stops.
    private static let lastAttempts: Duration = .seconds(2)

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
                // What was in these slots is counted below, because it is in the spool or was stored.
                let emptied = await spool?.takeEmptiedSlots() ?? []
                let waiting = await waiting
                silent += 1
                if let waiting, waiting != reported || silent >= Self.silence || !emptied.isEmpty,
                    await report(waiting, closing: emptied)
                {
                    reported = waiting
                    silent = 0
                }
                // A slot whose status could not be closed is found again when entries are next taken over.
                for slot in emptied { slot.release() }
                try? await Task.sleep(for: Self.pause)
            }
        }
        // Requests have ended by now, and their events are stored or in the spool. Connections may have been lost in an
        // outage that is over.
        let start = ContinuousClock.now
        while !Task.isCancelled, start.duration(to: .now) < Self.lastAttempts, let waiting = await waiting,
            await !report(waiting, isLast: true), !breaker.isOpen
        {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private struct Waiting: Equatable {
        let events: Int
        let oldest: Timestamp?
    }

    private var waiting: Waiting? {
        get async {
            guard let spool else { return nil }
            let status = await spool.status
            // What is in a file that can't be read is not known.
            guard status.isUsable else { return nil }
            return Waiting(events: await status.events + spool.awaitedSetAsideEvents, oldest: status.oldest)
        }
    }

    /// Reports what waits in the spool, and after that closes the status of slots whose entries it has taken over.
    private func report(
        _ waiting: Waiting, closing emptied: [SpoolFileLock] = [], isLast: Bool = false
    ) async -> Bool {
        guard let spool else { return false }
        let store = store
        let slots = emptied.map(\.identity)
        do {
            try await breaker.run(within: .seconds(3)) {
                try await store.put(
                    spool.identity, events: waiting.events, oldest: waiting.oldest, isClosed: isLast)
                if !slots.isEmpty { try await store.close(slots) }
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
    ///   - spool: Text that identifies the spool.
    ///   - oldest: The time at which the oldest waiting event was received, or `nil` if none waits.
    ///   - isClosed: Whether the collector stops. Then retention waits for it only if events wait.
    func put(_ spool: String, events: Int, oldest: Timestamp?, isClosed: Bool) async throws

    /// Closes the status of spools that another collector has emptied, except for those whose own collectors have reported
    /// within a minute.
    func close(_ spools: [String]) async throws
}
