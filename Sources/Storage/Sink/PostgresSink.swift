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

/// Stores groups of events in PostgreSQL. A group is stored when its transaction has committed.
package struct PostgresSink: ReplaySink {
    let pool: ConnectionPool
    private let logger: Logger
    private let metrics: SinkMetrics
    private let actionLimit = SharedState(ActionLimit())
    let nameLimits: NameLimits
    let reservation: NameReservation
    private let eventsPerSlice: Int
    let suppressionList: @Sendable () -> SuppressionList
    let knownNames = SharedState(KnownNameCache())
    private let plan = SharedState(StoragePlan())

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - pool: The pool of the ingest role.
    ///   - limits: The limits of an app's undeclared names.
    ///   - reservation: How many names are reserved at once, and for how long.
    ///   - eventsPerSlice: How many events of an app a group has for each slice of devices, at least, if they are stored
    ///     as a batch for each slice. Smaller batches would only make merges slower.
    ///   - suppressionList: Returns the latest list. Rejected events are searched once more if it has grown since they were
    ///     validated, because the database keeps nothing of those that were compared with an older list.
    package init(
        pool: ConnectionPool, limits: NameLimits = NameLimits(), reservation: NameReservation = NameReservation(),
        eventsPerSlice: Int = 64, metrics: SinkMetrics = SinkMetrics(), logger: Logger,
        suppressionList: @escaping @Sendable () -> SuppressionList = { SuppressionList() }
    ) {
        self.suppressionList = suppressionList
        self.pool = pool
        nameLimits = limits
        self.reservation = reservation
        self.eventsPerSlice = eventsPerSlice
        self.metrics = metrics
        self.logger = logger
    }

    package func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
        do {
            var storing = Storing(group)
            try await enforceNameLimits(&storing)
            try await enforceActionLimit(&storing)
            try await store(storing.remaining, &storing)
            try await storeRejections(&storing)
            return storing.group.results
        } catch {
            throw await recordFailure(error)
        }
    }

    /// Counts and logs an error, and returns what it means for a group.
    func recordFailure(_ error: any Error) async -> SinkError {
        if let error = error as? PostgresError { metrics.failures.add(1, SQLStateLabel(error)) }
        logger.warning("could not store a group", metadata: ["error": "\(error)"])
        return await reason(for: error)
    }

    /// Returns what an error of the database means for a group.
    func reason(for error: any Error) async -> SinkError {
        if let error = error as? SinkError { return error }
        guard let error = error as? PostgresError else { return .unavailable }
        if error.isDataError { return .refused }
        // The pool has closed the connection that was refused, so this is a new one, perhaps to another host.
        let isStandby = error.isReadOnlyServer ? try? await pool.withConnection { await $0.isStandby } : false
        return isStandby == true ? .standby : .unavailable
    }

    /// A group that is being stored, and its rejections, which are stored with the events or after them.
    private struct Storing {
        var group: EventGroup
        /// The group's events, without the names that are past their limit.
        var events: [Event]
        /// Whether names were left out of `events`.
        var leavesNamesOut = false
        /// The rejections that are not stored yet.
        var rejections: [StoredRejection]
        /// The numbers of repeated events within the group, by app, until they are stored.
        var repeats: [Int32: EventRepeats]
        /// The indices of the group's events that are not stored yet.
        var remaining: [Int]

        init(_ group: EventGroup) {
            self.group = group
            self.events = group.events
            self.rejections = group.refusals
            self.repeats = group.repeats
            self.remaining = Array(group.events.indices)
        }
    }

    private func enforceActionLimit(_ storing: inout Storing) async throws {
        let events = storing.events
        let suspects = actionLimit.state.withLock { $0.recordDeliveries(of: events) }
        guard !suspects.isEmpty else { return }
        let stored = try await storedActions(suspects)
        let excess = ActionLimit.excess(of: events, stored: stored)
        for place in excess {
            let detail = "the delivery already has \(ActionLimit.limit) distinct verified actions"
            storing.rejections.append(storing.group.refuse(at: place, .tooManyActions, detail))
        }
        let refused = Set(excess)
        storing.remaining.removeAll { refused.contains($0) }
    }

    /// Leaves out undeclared names that exceed a limit.
    ///
    /// Names are reserved before the events are stored, in separate transactions. If storing the events then fails,
    /// the names stay reserved, because the sender will retry. This comes before the limit of actions, for which all
    /// actions whose names are left out are one.
    private func enforceNameLimits(_ storing: inout Storing) async throws {
        let refused = try await reserveNames(in: storing.events)
        guard !refused.isEmpty else { return }
        for (place, event) in storing.events.enumerated() {
            guard let event = event.without(refused) else { continue }
            storing.events[place] = event
            storing.leavesNamesOut = true
        }
    }

    /// Counts and logs the names that were left out of newly stored events.
    private func reportNamesPastLimit(_ events: [Event], duplicates: [Int]) {
        let duplicates = Set(duplicates)
        var all: NameKinds = []
        for (place, event) in events.enumerated() where !duplicates.contains(place) {
            for kind in event.namesPastLimit.kinds { metrics.namesPastLimit.add(1, NameLabel(kind: kind)) }
            all.formUnion(event.namesPastLimit)
        }
        guard !all.isEmpty else { return }
        logger.warning(
            "events name more than the limit of undeclared names; they are stored without these names",
            metadata: ["kinds": "\(all.words)"])
    }

    private func storedActions(_ deliveries: [UUID]) async throws -> [UUID: Set<[UInt8]>] {
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

    /// Stores events and pending rejections. A group that the database refuses is halved until the invalid event is
    /// alone, which is then rejected.
    private func store(_ places: [Int], _ storing: inout Storing) async throws {
        guard !places.isEmpty else { return }
        do {
            let all = storing.events
            let events = places.count == all.count ? all : places.map { all[$0] }
            // Many would take longer than a statement may.
            let areFew = Self.pieces(of: storing.rejections).count <= 1
            let duplicates = try await write(events, areFew ? storing.rejections : [], storing)
            if storing.leavesNamesOut { reportNamesPastLimit(events, duplicates: duplicates) }
            if areFew { storing.rejections = [] }
            storing.repeats = [:]
            for duplicate in duplicates { storing.group.markDuplicate(at: places[duplicate]) }
        } catch let error as PostgresError where error.sqlState == "AP001" {
            let excluded = try await excluded(places.map { storing.events[$0] })
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

    /// Returns the events that the database refuses because of an erasure or sealed hours that this collector does not
    /// know of yet.
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
        for piece in Self.pieces(of: storing.rejections) {
            _ = try await write([], piece, storing)
            storing.repeats = [:]
        }
        storing.rejections = []
    }

    /// The time after which no further attempt begins, because it would take longer than a sender waits.
    private static let retryTime: Duration = .seconds(3)

    /// Stores events, rejections and counts in one transaction, and returns the indices of the duplicate events.
    private func write(
        _ events: [Event], _ rejections: [StoredRejection], _ storing: Storing
    ) async throws -> [Int] {
        let repeats = storing.repeats
        let position = Parameter.int8(storing.group.listPosition)
        let columns = EventColumns.parameters(events)
        let refusals = RejectionColumns.parameters(searched(rejections))
        if plan.state.withLock({ $0.startGroup() }) {
            do {
                let parameters =
                    columns + TextColumns.parameters(events) + refusals
                    + BatchColumns.parameters(events, rejections, repeats, eventsPerSlice: eventsPerSlice)
                    + [position]
                _ = try await commit(SQLFiles.storeNewEvents, parameters, of: events.count, waitingForLocks: false)
                plan.state.withLock { $0.recordRightGuess() }
                metrics.conflicts.add(repeats.values.reduce(0) { $0 + Int($1.conflicts) })
                return []
            } catch let error as PostgresError where error.isUniqueViolation || error.isLockTimeout {
                plan.state.withLock { $0.recordWrongGuess() }
            }
        }
        let rows = try await commit(
            SQLFiles.storeGroup,
            columns + [EventColumns.userTexts(events)] + refusals + BatchColumns.repeats(repeats) + [position],
            of: events.count)
        metrics.conflicts.add(Int(try rows.first?.decode(Int64?.self, column: 1) ?? 0))
        let places = try rows.first?.decode([Int32]?.self, column: 0) ?? []
        return places.map { Int($0) - 1 }
    }

    /// Runs a statement as one transaction, with a few retries after transient errors such as deadlocks.
    ///
    /// - Parameter waitsForLocks: Whether it is tried again after it waited too long for a lock.
    private func commit(
        _ statement: SQLFile, _ parameters: [Parameter], of events: Int, waitingForLocks waitsForLocks: Bool = true
    ) async throws -> Rows {
        let start = ContinuousClock.now
        var attempt = 0
        while true {
            do {
                return try await pool.withConnection { connection in
                    try await connection.query(statement.text, parameters, prepared: true)
                }
            } catch let error as PostgresError
                where Self.shouldRetry(error, attempt, of: events) && (waitsForLocks || !error.isLockTimeout)
                && start.duration(to: .now) < Self.retryTime
            {
                attempt += 1
                metrics.retries.add(1, SQLStateLabel(error))
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...(10 << attempt))))
            }
        }
    }
}

extension PostgresSink {
    /// Returns whether to retry: after a transient error, and once for a single event that the default partition
    /// refused because its monthly partition was created in the meantime.
    private static func shouldRetry(_ error: PostgresError, _ attempt: Int, of events: Int) -> Bool {
        error.isRetryable && attempt < 4 || error.sqlState == "23514" && events == 1 && attempt == 0
    }
}
