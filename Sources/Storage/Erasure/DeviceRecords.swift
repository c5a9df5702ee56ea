import Events
import Foundation
import Ingest
package import Postgres
import SQLFiles

/// Everything that is stored about a device, as one JSON object in chunks.
///
/// It reads a page at a time and has no connection in between, so a slow reader blocks no other. Its connections are lent
/// on the app's account.
package actor DeviceRecords: DeviceExport {
    private enum Part {
        case events(deliveries: ArraySlice<UUID>, after: Place)
        case replies(deliveries: ArraySlice<UUID>, after: Place)
        case deliveries(ArraySlice<UUID>)
        /// The parts of the page that ends with `after`, and then the next page.
        case rejected(parts: ArraySlice<RejectedPage.Part>, after: Int64)
        case end
    }

    private struct Place {
        var delivery = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var event = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        var time: Int64 = .min
    }

    private static let page: Int64 = 500
    private static let deliveriesAtOnce = 100
    /// How long the next page waits for the app's other uses of connections, because an error would truncate the export.
    private static let connectionWait: Duration = .seconds(30)

    private let pool: ConnectionPool
    private let device: String
    private let app: Int32
    private let ids: [UUID]
    private var part: Part
    private var isFirst = true
    private var head: String?

    private init(_ pool: ConnectionPool, _ device: String, _ app: Int32, ids: [UUID], head: String) {
        self.pool = pool
        self.device = device
        self.app = app
        self.ids = ids
        self.head = head
        part = .events(deliveries: ids[...], after: Place())
    }

    /// Looks up a device and returns its records, from the beginning.
    ///
    /// - Parameter pool: The pool of the owner role.
    package static func open(_ device: String, app: Int32, pool: ConnectionPool) async throws -> DeviceRecords {
        try await pool.withConnection(of: app) { connection in
            let rows = try await connection.query(
                SQLFiles.findDevice.text,
                [
                    .int4(app), .text(device),
                    .uuid(DeliveryIdentity.id(appID: app, notificationID: nil, deviceID: device)),
                ])
            var ids: [UUID] = []
            var head = "{"
            for row in rows {
                let (id, object) = try row.decode(UUID.self, String.self)
                ids.append(id)
                head = "{" + object.dropFirst().dropLast() + ","
            }
            return DeviceRecords(pool, device, app, ids: ids, head: head + "\"events\":[")
        }
    }

    /// Returns the next chunk, or `nil` at the end.
    package func next() async throws -> String? {
        if let head = self.head {
            self.head = nil
            return head
        }
        switch self.part {
        case .events(let ids, let after):
            guard let (rows, rest, last) = try await self.rows(SQLFiles.deviceEvents, ids, after) else {
                return self.begin(.replies(deliveries: self.ids[...], after: Place()), "replies")
            }
            self.part = .events(deliveries: rest, after: last)
            return self.elements(rows)
        case .replies(let ids, let after):
            guard let (rows, rest, last) = try await self.rows(SQLFiles.deviceReplies, ids, after) else {
                return self.begin(.deliveries(self.ids[...]), "deliveries")
            }
            self.part = .replies(deliveries: rest, after: last)
            return self.elements(rows)
        case .deliveries(let ids):
            guard !ids.isEmpty else { return self.begin(.rejected(parts: [], after: 0), "rejected_events") }
            let some = Array(ids.prefix(Self.deliveriesAtOnce))
            self.part = .deliveries(ids.dropFirst(Self.deliveriesAtOnce))
            let rows = try await self.query(SQLFiles.deviceDeliveries, [.uuidArray(some)])
            return self.elements(try rows.map { try $0.decode(String.self, column: 0) })
        case .rejected(let parts, let after):
            return try await self.rejected(parts, after: after)
        case .end: return nil
        }
    }

    /// Returns the next page of records that belong to deliveries, and where to resume; `nil` after the last page.
    private func rows(
        _ statement: SQLFile, _ ids: ArraySlice<UUID>, _ after: Place
    ) async throws -> (rows: [String], rest: ArraySlice<UUID>, last: Place)? {
        guard !ids.isEmpty else { return nil }
        let some = Array(ids.prefix(Self.deliveriesAtOnce))
        let rows = try await self.query(
            statement,
            [
                .uuidArray(some), .uuid(after.delivery), .uuid(after.event), .timestamp(after.time),
                .int8(Self.page),
            ])
        let texts = try rows.map { try $0.decode(String.self, column: 3) }
        guard Int64(rows.count) == Self.page, let last = rows.last else {
            return (texts, ids.dropFirst(Self.deliveriesAtOnce), Place())
        }
        let (delivery, event, time) = try last.decode(UUID.self, UUID.self, Timestamp.self)
        return (texts, ids, Place(delivery: delivery, event: event, time: time.microseconds))
    }

    /// Returns the rejected events of the next part that mention the device, or a line end if none does: it is written to
    /// a client that may be gone.
    private func rejected(_ parts: ArraySlice<RejectedPage.Part>, after: Int64) async throws -> String {
        guard let part = parts.first else { return try await self.nextRejectedPage(after: after) }
        self.part = .rejected(parts: parts.dropFirst(), after: after)
        let rows = try await self.query(
            SQLFiles.deviceRejectedEvents, [.int4(self.app), .text(self.device), .int8Array(part.ids)])
        return rows.isEmpty ? "\n" : self.elements(try rows.map { try $0.decode(String.self, column: 0) })
    }

    /// Reads the next page of rejected events, of which later calls return those that mention the device.
    private func nextRejectedPage(after: Int64) async throws -> String {
        var page = RejectedPage()
        for row in try await self.query(
            SQLFiles.rejectedPage, [.int4(self.app), .int8(after), .int8(RejectedPage.events)])
        {
            page.add(try row.decode(Int64.self, column: 0), try row.decode(String?.self, column: 1))
        }
        guard let last = page.last else {
            self.part = .end
            return "]}\n"
        }
        let parts = await page.parts(mentioning: [self.device]).filter { !$0.ids.isEmpty }
        self.part = .rejected(parts: parts[...], after: last)
        return "\n"
    }

    private func query(_ statement: SQLFile, _ parameters: [Parameter]) async throws -> Rows {
        try await self.pool.withConnection(of: self.app, within: Self.connectionWait) { connection in
            try await connection.query(statement.text, parameters)
        }
    }

    private func begin(_ part: Part, _ name: String) -> String {
        self.part = part
        self.isFirst = true
        return "],\"\(name)\":["
    }

    private func elements(_ rows: [String]) -> String {
        guard !rows.isEmpty else { return "" }
        defer { self.isFirst = false }
        return (self.isFirst ? "\n" : ",\n") + rows.joined(separator: ",\n")
    }
}
