import Events
import Foundation
import Postgres
import SQLFiles

// The messages that wait to be delivered.
extension AlertStore {
    /// The messages that can be put into the outbox of an app now, and where they go.
    struct OutboxRoom: Sendable {
        let destinations: [AlertDestination]
        let messages: Int

        /// Returns for how many destinations of a message there is no room.
        ///
        /// - Parameter place: The number of messages before it.
        func refused(at place: Int) -> Int {
            destinations.count - min(destinations.count, max(0, messages - place * destinations.count))
        }
    }

    /// Returns what can be put into the outbox of an app now.
    ///
    /// - Parameter destinations: Where messages are to go, or nil for the destinations of the app.
    static func room(
        for destinations: [AlertDestination]?, _ app: Int32, _ connection: isolated Connection
    ) throws -> OutboxRoom {
        // The row has the secret, without which no message is delivered.
        try connection.execute(SQLFiles.createAlertSettings.text, [.int4(app)])
        let stored = try connection.query(SQLFiles.findAlertSettings.text, [.int4(app)]).first?
            .decode(String.self, column: 0)
        let wanted = try destinations ?? stored.map(AlertDestination.list(stored:)) ?? []
        let disabled = try disabledDestinations(app, connection)
        let waiting = try connection.query(
            SQLFiles.countWaitingMessages.text, [.int4(app), .int8(AlertLimits.waitingMessages)]
        ).first?.decode(Int64.self, column: 0)
        return OutboxRoom(
            destinations: wanted.filter { !disabled.contains($0) }.sorted(by: isBefore),
            messages: AlertLimits.waitingMessages - Int(waiting ?? 0))
    }

    /// Puts as many messages into the outbox as there is room for, and deletes ended ones that are too many.
    static func add(
        _ messages: [AlertMessage], _ room: OutboxRoom, _ app: Int32, _ connection: isolated Connection
    ) throws {
        let kinds = Set(room.destinations.map(\.kind))
        let sent = messages.enumerated().filter { room.refused(at: $0.offset) < room.destinations.count }
            .map(\.element)
        guard !sent.isEmpty else { return }
        func bodies(_ kind: AlertDestination.Kind) -> Parameter {
            .textArray(sent.map { kinds.contains(kind) ? $0.body(for: kind) : nil })
        }
        try connection.execute(
            SQLFiles.addAlertMessages.text,
            [
                .int4(app), .uuidArray(sent.map(\.id)), .textArray(sent.map(\.subject)), bodies(.webhook),
                bodies(.slack), bodies(.email), .textArray(room.destinations.map(\.kind.rawValue)),
                .textArray(room.destinations.map(\.target)), .int8(room.messages),
            ])
        try connection.execute(
            SQLFiles.trimAlertMessages.text,
            [.int4(app), .int8(AlertLimits.endedMessages), .int8(AlertLimits.deletion)])
    }

    /// A message that this collector delivers, for as long as its claim lasts.
    struct Attempt: Sendable {
        let claim: UUID
        let app: Int32
        let destination: AlertDestination
        let message: OutgoingMessage
        /// The number of attempts, this one included.
        let count: Int
        /// How long ago the message was put into the outbox.
        let age: Duration
    }

    /// Claims a message whose attempt is due, or returns nil if none is.
    ///
    /// - Parameters:
    ///   - excluded: Apps that have no turn now.
    ///   - turns: The numbers of apps' last turns; the app with the lowest comes first.
    func claimMessage(
        for duration: Duration, excluding excluded: [Int32], turns: [Int32: Int64]
    ) async throws -> Attempt? {
        let claim = UUID()
        return try await pool.withConnection { connection in
            let rows = try await connection.query(
                SQLFiles.claimAlertMessage.text,
                [.uuid(claim), .float8(Double(duration.components.seconds))] + Self.turns(excluded, turns))
            guard let row = rows.first else { return nil }
            let (app, id, kind, target, subject, body, count, secret, age) = try row.decode(
                Int32.self, UUID.self, String.self, String.self, String.self, String.self, Int32.self, Bytes.self,
                Double.self)
            return Attempt(
                claim: claim, app: app,
                destination: AlertDestination(kind: AlertDestination.Kind(rawValue: kind) ?? .webhook, target: target),
                message: OutgoingMessage(id: id, subject: subject, body: body, secret: secret.bytes),
                count: Int(count), age: .seconds(age))
        }
    }

    /// Records how an attempt ended.
    func finish(_ attempt: Attempt, _ end: AttemptEnd) async throws {
        try await pool.withConnection { connection in
            try await connection.transaction { connection in
                if end.outcome == .destinationDisabled {
                    let destination = attempt.destination
                    try connection.execute(
                        SQLFiles.disableDestination.text,
                        [.int4(attempt.app), .text(destination.kind.rawValue), .text(destination.target)])
                }
                try connection.execute(
                    SQLFiles.finishAlertMessage.text,
                    [
                        .uuid(attempt.claim), .text(end.outcome?.rawValue), .float8(end.pause), .text(end.problem),
                    ])
            }
        }
    }
}
