import Foundation
import JSON
package import Postgres
import SQLFiles

/// Finds what is stored about an id and explains how it counts, with bounded work and a bounded answer.
///
/// Each search runs as a role that sees only the rows of the app, and has a time limit of its own: what takes longer is
/// named in the answer as incomplete. A device that was erased, or is being erased, is not shown.
package struct InspectionService: Sendable {
    /// The maximum numbers of deliveries, of events of each, and of rejected events in an answer.
    private enum Limit {
        static let deliveries = 20
        static let events: Int64 = 50
        static let rejected: Int64 = 20
        /// The number of the newest rejected events that are searched.
        static let searched: Int64 = 5_000
        /// The number of the newest batches whose events are searched.
        static let recentBatches: Int64 = 300
        static let search: Duration = .seconds(3)
    }

    private let reports: ConnectionPool
    private let requests: ConnectionPool

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - reports: The pool of the report role, which sees the rows of one app.
    ///   - requests: The pool of requests, whose role knows the devices that were erased.
    package init(reports: ConnectionPool, requests: ConnectionPool) {
        self.reports = reports
        self.requests = requests
    }

    /// Inspects an id.
    ///
    /// - Parameter name: The name of the app.
    package func inspect(_ request: InspectionRequest, app: Int32, name: String) async throws -> Inspection {
        let id = request.id
        if try await erased([id], app: app).contains(0) { return .erased(id) }
        var found = Found()
        try await find(id, app: app, into: &found)
        let rejected = try await search("rejected_events", app, &found) { connection in
            try connection.query(
                SQLFiles.inspectRejected.text,
                [.int4(app), .text(id), .int8(Limit.searched), .int8(Limit.rejected)]
            ).map { try $0.decode(String.self) }
        }
        let status = try await search("status", app, &found) { connection in
            try connection.query(SQLFiles.inspectStatus.text, [.int4(app), .int8(Limit.searched)])
                .map { try $0.decode(String.self) }
        }
        let shown = Array(found.deliveries.prefix(Limit.deliveries))
        let deliveries = try await deliveries(shown, request, app: app, name: name, &found)
        return Inspection(
            id, meanings: found.meanings,
            summary: InspectionSummary(
                found: found.meanings, deliveries: deliveries.count, rejected: rejected?.count ?? 0,
                incomplete: found.incomplete, status: status?.first
            ).sentences,
            deliveries: deliveries, hasMore: found.deliveries.count > shown.count, rejected: rejected ?? [],
            incomplete: found.incomplete, status: status?.first)
    }

    /// What the searches have found so far.
    private struct Found {
        var meanings: [String] = []
        var deliveries: [UUID] = []
        var incomplete: [String] = []

        mutating func add(_ meaning: String, _ delivery: UUID) {
            if !meanings.contains(meaning) { meanings.append(meaning) }
            if !deliveries.contains(delivery) { deliveries.append(delivery) }
        }
    }

    /// Finds the deliveries of an id: first where an index leads to them, then among recent events, and only if need be
    /// by reading everything, which may take too long.
    private func find(_ id: String, app: Int32, into found: inout Found) async throws {
        let limit = Parameter.int8(Limit.deliveries + 1)
        let uuid = UUID(uuidString: id)
        let named = try await search("devices", app, &found) { connection in
            try connection.query(SQLFiles.inspectFind.text, [.int4(app), .text(id), .uuid(uuid), limit])
                .map { try $0.decode(String.self, UUID.self) }
        }
        for (meaning, delivery) in named ?? [] { found.add(meaning, delivery) }
        let recent = try await search("recent events", app, &found) { connection in
            try connection.query(
                SQLFiles.inspectFindRecent.text,
                [.int4(app), .text(id), .uuid(uuid), .int8(Limit.recentBatches), limit]
            ).map { try $0.decode(String.self, UUID.self) }
        }
        for (meaning, delivery) in recent ?? [] { found.add(meaning, delivery) }
        guard Set(found.meanings).isSubset(of: ["notification"]) else { return }
        let notified = try await search("notifications", app, &found, hasIndex: false) { connection in
            try connection.query(SQLFiles.inspectFindNotification.text, [.int4(app), .text(id), limit])
                .map { try $0.decode(UUID.self) }
        }
        for delivery in notified ?? [] { found.add("notification", delivery) }
        guard let uuid, found.deliveries.isEmpty else { return }
        let events = try await search("events", app, &found, hasIndex: false) { connection in
            try connection.query(SQLFiles.inspectFindEvent.text, [.int4(app), .uuid(uuid), limit])
                .map { try $0.decode(UUID.self) }
        }
        for delivery in events ?? [] { found.add("event", delivery) }
    }

    /// Returns the deliveries as JSON objects with their events and an explanation, without those of erased devices.
    private func deliveries(
        _ ids: [UUID], _ request: InspectionRequest, app: Int32, name: String, _ found: inout Found
    ) async throws -> [String] {
        guard !ids.isEmpty else { return [] }
        let answer = try await search("deliveries", app, &found) { connection in
            let counted = try connection.query(
                SQLFiles.inspectDeliveries.text, [.int4(app), .uuidArray(ids), .text(name)]
            ).map { try $0.decode(UUID.self, String?.self, String.self) }
            let events = try connection.query(
                SQLFiles.inspectEvents.text,
                [.int4(app), .uuidArray(ids), .int8(Limit.events + 1), .bool(request.includesText)]
            ).map { try $0.decode(UUID.self, String.self, String.self) }
            return (counted, events)
        }
        guard let (counted, events) = answer else { return [] }
        let devices = Set(counted.compactMap { $0.1 } + events.map { $0.1 }).sorted()
        let hidden = Set(try await erased(devices, app: app).map { devices[$0] })
        return try ids.compactMap { id in
            let delivery = counted.first { $0.0 == id }
            let own = events.filter { $0.0 == id }
            guard !own.contains(where: { hidden.contains($0.1) }), delivery?.1.map(hidden.contains) != true,
                delivery != nil || !own.isEmpty
            else { return nil }
            return try Self.json(id, delivery?.2, own.map { $0.2 })
        }
    }

    private static func json(_ id: UUID, _ delivery: String?, _ events: [String]) throws -> String {
        let isLimited = events.count > Limit.events
        let events = try events.prefix(Int(Limit.events)).map { event in
            let notes = try InspectedEvent(json: event).notes.map(JSONText.string)
            return String(event.dropLast()) + ",\"notes\":\(JSONText.array(notes))}"
        }
        var explanation: [String]
        var converted = "null"
        if let delivery {
            let inspected = try InspectedDelivery(json: delivery)
            explanation = inspected.explanation
            converted = String(inspected.isConverted)
        } else {
            explanation = [
                "Its events are stored and belong to no counted delivery yet, or are about the device alone."
            ]
        }
        if isLimited { explanation.append("It has more events than the first \(Limit.events), which are listed.") }
        let head = delivery ?? JSONText.object([("delivery_id", JSONText.string(id.uuidString.lowercased()))])
        let sentences = JSONText.array(explanation.map(JSONText.string))
        return String(head.dropLast()) + ",\"merged\":\(delivery != nil),\"converted\":\(converted)"
            + ",\"explanation\":\(sentences),\"events\":\(JSONText.array(events))}"
    }

    /// Returns the positions of the devices that were erased.
    private func erased(_ devices: [String], app: Int32) async throws -> [Int] {
        guard !devices.isEmpty else { return [] }
        return try await requests.withConnection(of: app) { connection in
            // A time that no seal reaches, so that only erased devices are returned.
            let time: Int64 = 4_102_444_800_000_000
            let parameters: [Parameter] = [
                .int4Array(devices.map { _ in app }), .textArray(devices), .timestampArray(devices.map { _ in time }),
            ]
            return try await connection.query(SQLFiles.callSuppressedEvents.text, parameters)
                .map { Int(try $0.decode(Int32.self)) - 1 }
        }
    }

    /// Runs a search in a read-only transaction of the app.
    ///
    /// - Parameter hasIndex: Whether an index finds the rows, also if the tables have no statistics yet.
    /// - Returns: `nil` if it takes too long, which is noted.
    private func search<T: Sendable>(
        _ name: String, _ app: Int32, _ found: inout Found, hasIndex: Bool = true,
        _ body: @escaping @Sendable (isolated Connection) throws -> T
    ) async throws -> T? {
        do {
            return try await reports.withConnection(of: app) { connection in
                let opening =
                    ReportAccess.opening(app: app) + (hasIndex ? "; set local enable_seqscan = off" : "")
                return try await connection.snapshot(asking: opening) { connection, _ in
                    try connection.limitStatements(to: Limit.search)
                    return try body(connection)
                }
            }
        } catch let error as PostgresError where error.isCancelled {
            found.incomplete.append(name)
            return nil
        }
    }
}
