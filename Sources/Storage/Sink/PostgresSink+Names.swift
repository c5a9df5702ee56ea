package import Events
package import Ingest
import Synchronization

/// Reserves the names in events that the collector does not know.
extension PostgresSink {
    /// The number of new names from which on a request has them reserved before it is stored. More than this many are
    /// not counted.
    private static let manyNames = 1_000

    /// Returns how many different names in some events must be looked up in the database.
    package func countNewNames(in events: [Event]) -> Int {
        knownNames.state.withLock { $0.countUnknown(in: events) }
    }

    /// Whether a group is a request with very many new names. Such requests are stored alone.
    package func needsPreparation(_ group: EventGroup) -> Bool {
        let many = min(Self.manyNames, reservation.namesPerStatement)
        guard group.pending.count == 1, group.events.count * NameKind.allCases.count > many else { return false }
        return countNewNames(in: group.events) > many
    }

    /// Reserves the names in a group's events.
    package func prepare(_ group: EventGroup) async throws(SinkError) {
        do {
            _ = try await reserveNames(in: group.events)
        } catch {
            throw await recordFailure(error)
        }
    }

    /// Reserves the unknown names in some events, and returns those that exceed a limit.
    ///
    /// - Throws: `SinkError.namesLocked` if some could not be reserved; the others are known from then on.
    func reserveNames(in events: [Event]) async throws -> Set<ReferencedName> {
        let unknown = knownNames.state.withLock { $0.unknown(in: events) }
        guard !unknown.isEmpty else { return [] }
        let outcome = try await reservation.reserveByApp(unknown, nameLimits, in: pool)
        knownNames.state.withLock { $0.learn(outcome.reserved) }
        guard outcome.unfinishedApps.isEmpty else {
            throw SinkError.namesLocked(apps: outcome.unfinishedApps, hasProgressed: outcome.hasProgressed)
        }
        return outcome.refused
    }
}
