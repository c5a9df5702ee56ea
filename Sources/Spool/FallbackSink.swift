package import Ingest
package import Logging
import Timing

/// Stores groups in PostgreSQL, or in the spool while PostgreSQL is unavailable, slow or read-only.
///
/// Events for a standby are not spooled: it refuses writes until it is promoted, and may never be.
///
/// While the spool holds entries, new groups still go to PostgreSQL, because the order of groups does not matter.
package struct FallbackSink: EventSink {
    /// The time limits of the sink.
    ///
    /// | property | meaning |
    /// | --- | --- |
    /// | `timeout` | time limit for PostgreSQL to store a group, and to prepare it before if it needs that |
    /// | `timeoutWithoutSpool` | the same without a spool |
    package struct Configuration: Sendable {
        package var timeout: Duration = .seconds(4)
        package var timeoutWithoutSpool: Duration = .seconds(8)

        package init() {}
    }

    private let primary: any EventSink
    private let spool: Spool?
    private let breaker: CircuitBreaker
    private let configuration: Configuration
    private let logger: Logger

    /// Creates a sink that uses `primary` first.
    ///
    /// - Parameter spool: The fallback, or `nil` if the spool is switched off.
    package init(
        _ primary: any EventSink, spool: Spool?, breaker: CircuitBreaker,
        configuration: Configuration = Configuration(),
        logger: Logger
    ) {
        self.primary = primary
        self.spool = spool
        self.breaker = breaker
        self.configuration = configuration
        self.logger = logger
    }

    package func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
        var failure = SinkError.unavailable
        if breaker.isStandby { throw .standby }
        if !breaker.isOpen {
            do throws(SinkError) {
                return try await attempt(group)
            } catch {
                failure = error
                switch failure {
                case .refused:
                    // It says nothing about other groups.
                    break
                case .namesLocked(let apps, _):
                    // Events of other apps can be stored now, so they aren't spooled together with these.
                    guard group.pending.allSatisfy({ apps.contains($0.appID) }) else { throw failure }
                default:
                    breaker.recordFailure(isStandby: failure == .standby)
                }
                if failure == .standby { throw failure }
            }
        }
        // PostgreSQL might have committed the group although its answer was lost or late. Spooling it is still safe:
        // the replayed events are then duplicates.
        guard let spool else { throw failure }
        do {
            return try await spool.add(group)
        } catch {
            logger.warning("could not spool a group", metadata: ["error": "\(error)"])
            throw error == .full ? .overloaded : .unavailable
        }
    }

    private func attempt(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
        let primary = primary
        if primary.needsPreparation(group) { try await limited { try await primary.prepare(group) } }
        return try await limited { try await primary.store(group) }
    }

    private func limited<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws(SinkError) -> Value {
        do {
            return try await withTimeout(
                spool == nil ? configuration.timeoutWithoutSpool : configuration.timeout, body)
        } catch let error as SinkError {
            throw error
        } catch {
            logger.warning("PostgreSQL did not store a group within the time limit", metadata: ["error": "\(error)"])
            throw .unavailable
        }
    }
}
