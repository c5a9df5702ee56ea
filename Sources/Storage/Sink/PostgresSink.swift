import AfterpushWire
package import Events
import Foundation
package import Ingest
import Instruments
package import Logging
package import Postgres
import SQLFiles
import Spool
import Synchronization

/// Makes groups of events durable in PostgreSQL: stored means committed.
package struct PostgresSink: ReplaySink {
    let pool: ConnectionPool
    private let logger: Logger
    private let metrics: SinkMetrics
    private let actionLimit = Shared(ActionLimit())
    private let nameLimits: NameLimits
    private let knownNames = Shared(KnownNameCache())
    private let plan = Shared(StoragePlan())

    /// - Parameters:
    ///   - pool: of the role that takes events.
    ///   - limits: of the undeclared names that an app takes.
    package init(
        pool: ConnectionPool, limits: NameLimits = NameLimits(), metrics: SinkMetrics = SinkMetrics(), logger: Logger
    ) {
        self.pool = pool
        nameLimits = limits
        self.metrics = metrics
        self.logger = logger
    }

    package func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
        do {
            var storing = Storing(group)
            try await holdToActionLimit(&storing)
            try await holdToNameLimits(&storing)
            try await store(storing.remaining, &storing)
            try await storeRejections(&storing)
            return storing.group.results
        } catch {
            if let error = error as? PostgresError { metrics.failures.add(1, SQLStateLabel(error)) }
            logger.warning("could not store a group", metadata: ["error": "\(error)"])
            throw (error as? PostgresError)?.isDataError == true ? .refused : .unavailable
        }
    }

    /// A group on its way, with the rejections that wait to be stored with events, or after them.
    private struct Storing {
        var group: EventGroup
        var rejections: [StoredRejection]
        /// What came more than once in the group, until it is counted.
        var repeats: [Int32: EventRepeats]
        /// Places of the group's events that are still to be stored.
        var remaining: [Int]

        init(_ group: EventGroup) {
            self.group = group
            self.rejections = group.refusals
            self.repeats = group.repeats
            self.remaining = Array(group.events.indices)
        }
    }

    private func holdToActionLimit(_ storing: inout Storing) async throws {
        let events = storing.group.events
        let suspects = actionLimit.state.withLock { $0.suspects(among: events) }
        guard !suspects.isEmpty else { return }
        let stored = try await actionsStored(suspects)
        let excess = ActionLimit.excess(of: events, stored: stored)
        for place in excess {
            let detail = "the delivery already has \(ActionLimit.limit) distinct actions"
            storing.rejections.append(storing.group.refuse(at: place, .tooManyActions, detail))
        }
        let refused = Set(excess)
        storing.remaining.removeAll { refused.contains($0) }
    }

    /// Refuses events that state one undeclared name too many.
    ///
    /// Names are taken before the events are stored, in a transaction of their own: if the second fails they are taken
    /// all the same, and the events will come again.
    private func holdToNameLimits(_ storing: inout Storing) async throws {
        let places = storing.remaining
        let all = storing.group.events
        let events = places.count == all.count ? all : places.map { all[$0] }
        let unknown = knownNames.state.withLock { $0.unknown(in: events) }
        guard !unknown.isEmpty else { return }
        let refused = try await NameReservation.take(unknown, nameLimits, in: pool)
        knownNames.state.withLock { $0.learn(unknown.lazy.filter { !refused.contains($0) }) }
        let excess = KnownNameCache.refused(in: events, refused)
        for (place, name) in excess {
            let detail = name.detail(quota: nameLimits.quota(of: name.kind))
            storing.rejections.append(storing.group.refuse(at: places[place], .limitExceeded, detail))
        }
        let excluded = Set(excess.map { places[$0.place] })
        storing.remaining.removeAll { excluded.contains($0) }
    }

    private func actionsStored(_ deliveries: [UUID]) async throws -> [UUID: Set<[UInt8]>] {
        var ids = ArrayBuilder(.uuid, capacity: deliveries.count)
        for delivery in deliveries { ids.append(uuid: delivery) }
        let parameter = Parameter.array(ids)
        return try await pool.withConnection { connection in
            var stored = Dictionary(uniqueKeysWithValues: deliveries.map { ($0, Set<[UInt8]>()) })
            let rows = try await connection.query(
                SQLFiles.callStoredActions.text, [parameter], prepared: true)
            for row in rows {
                let (delivery, actions) = try row.decode(UUID.self, [String].self)
                stored[delivery] = Set(actions.map { Array($0.utf8) })
            }
            return stored
        }
    }

    /// Stores events and pending rejections. A group that the database refuses is halved until the bad event is alone.
    private func store(_ places: [Int], _ storing: inout Storing) async throws {
        guard !places.isEmpty else { return }
        do {
            let all = storing.group.events
            let events = places.count == all.count ? all : places.map { all[$0] }
            let duplicates = try await write(events, storing.rejections, storing.repeats)
            storing.rejections = []
            storing.repeats = [:]
            for duplicate in duplicates { storing.group.markDuplicate(at: places[duplicate]) }
        } catch let error as PostgresError where error.sqlState == "AP001" {
            let excluded = try await excluded(places.map { storing.group.events[$0] })
            guard !excluded.isEmpty else { throw error }
            for (place, isLate) in excluded {
                let (code, detail) = EventValidationError.excluded(isLate: isLate)
                storing.rejections.append(storing.group.refuse(at: places[place], code, detail))
            }
            let refused = Set(excluded.map { places[$0.place] })
            try await store(places.filter { !refused.contains($0) }, &storing)
        } catch let error as PostgresError where error.isDataError {
            if places.count == 1 {
                let detail = "the database refused it (SQLSTATE \(error.sqlState ?? "unknown"))"
                storing.rejections.append(storing.group.refuse(at: places[0], .storageRefused, detail))
            } else {
                let half = places.count / 2
                try await store(Array(places[..<half]), &storing)
                try await store(Array(places[half...]), &storing)
            }
        }
    }

    /// Which of some events the database excludes, though this collector does not know it yet.
    private func excluded(_ events: [Event]) async throws -> [(place: Int, isLate: Bool)] {
        let parameters: [Parameter] = [
            .int4Array(events.map(\.appID)), .textArray(events.map(\.deviceID)),
            .timestampArray(events.map(\.occurredAt.microseconds)),
        ]
        return try await pool.withConnection { connection in
            try await connection.query(
                SQLFiles.callSuppressedEvents.text, parameters, prepared: true
            ).map { row in
                let (place, isLate) = try row.decode(Int32.self, Bool.self)
                return (Int(place) - 1, isLate)
            }
        }
    }

    private func storeRejections(_ storing: inout Storing) async throws {
        guard !storing.rejections.isEmpty else { return }
        _ = try await write([], storing.rejections, storing.repeats)
        storing.rejections = []
    }

    /// After so long no further attempt begins: what still fails then takes longer than a sender waits.
    private static let retryTime: Duration = .seconds(3)

    /// - Returns: places, among the events, of those that were stored before.
    private func write(
        _ events: [Event], _ rejections: [StoredRejection], _ repeats: [Int32: EventRepeats]
    ) async throws -> [Int] {
        let columns = EventColumns.parameters(events)
        let refusals = RejectionColumns.parameters(rejections)
        if plan.state.withLock({ $0.takesForNew() }) {
            do {
                let parameters =
                    columns + TextColumns.parameters(events) + refusals
                    + BatchColumns.parameters(events, rejections, repeats)
                _ = try await commit(SQLFiles.storeNewEvents, parameters, of: events.count)
                plan.state.withLock { $0.wasRight() }
                metrics.conflicts.add(repeats.values.reduce(0) { $0 + Int($1.conflicts) })
                return []
            } catch let error as PostgresError where error.isUniqueViolation {
                plan.state.withLock { $0.wasWrong() }
            }
        }
        let rows = try await commit(
            SQLFiles.storeGroup,
            columns + [EventColumns.userTexts(events)] + refusals + BatchColumns.repeats(repeats), of: events.count)
        metrics.conflicts.add(Int(try rows.first?.decode(Int64?.self, column: 1) ?? 0))
        let places = try rows.first?.decode([Int32]?.self, column: 0) ?? []
        return places.map { Int($0) - 1 }
    }

    /// One transaction; what lost a race against another is tried again, a few times.
    private func commit(_ statement: SQLFile, _ parameters: [Parameter], of events: Int) async throws -> Rows {
        let start = ContinuousClock.now
        var attempt = 0
        while true {
            do {
                return try await pool.withConnection { connection in
                    try await connection.query(statement.text, parameters, prepared: true)
                }
            } catch let error as PostgresError
                where Self.isWorthARetry(error, attempt, of: events) && start.duration(to: .now) < Self.retryTime
            {
                attempt += 1
                metrics.retries.add(1, SQLStateLabel(error))
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...(10 << attempt))))
            }
        }
    }
}

extension PostgresSink {
    /// Whether another attempt can succeed: after a transient error, and once for a single event whose monthly partition
    /// was created meanwhile, so that the default partition refused it.
    private static func isWorthARetry(_ error: PostgresError, _ attempt: Int, of events: Int) -> Bool {
        error.isRetryable && attempt < 4 || error.sqlState == "23514" && events == 1 && attempt == 0
    }
}

/// What all lanes of a sink remember together.
private final class Shared<State: Sendable>: Sendable {
    let state: Mutex<State>

    init(_ state: State) {
        self.state = Mutex(state)
    }
}
