import AfterpushWire
import Declarations
import Events
import Foundation
import Postgres
import SQLFiles

// What the worker does.
extension AlertStore {
    /// A rule that this collector evaluates, for as long as its claim lasts.
    struct Claim: Sendable {
        let id: UUID
        let app: Int32
        let appName: String
        let rule: AlertRule
        let now: AfterpushWire.Timestamp
        /// How long the rule has been due.
        let delay: Duration
    }

    /// Claims a rule that is due, or returns nil if none is.
    ///
    /// - Parameters:
    ///   - excluded: Apps that have no turn now.
    ///   - spent: The milliseconds that apps have spent lately; the app with the least comes first.
    func claim(for duration: Duration, excluding excluded: [Int32], spent: [Int32: Int64]) async throws -> Claim? {
        let id = UUID()
        return try await pool.withConnection { connection in
            let rows = try await connection.query(
                SQLFiles.claimAlert.text,
                [.uuid(id), .float8(Double(duration.components.seconds))] + Self.turns(excluded, spent))
            guard let row = rows.first else { return nil }
            let (app, appName, name, definition, destinations, now, delay) = try row.decode(
                Int32.self, String.self, String.self, String.self, String?.self, Int64.self, Double.self)
            var rule = try AlertRule(Array(definition.utf8), name: name)
            rule.destinations = try destinations.map(AlertDestination.list(stored:))
            return Claim(
                id: id, app: app, appName: appName, rule: rule, now: AfterpushWire.Timestamp(microseconds: now),
                delay: .seconds(delay))
        }
    }

    private static func turns(_ excluded: [Int32], _ numbers: [Int32: Int64]) -> [Parameter] {
        [.int4Array(excluded), .int4Array(Array(numbers.keys)), .int8Array(Array(numbers.values))]
    }

    /// Gives a rule back that was not evaluated. It stays due.
    func release(_ claim: Claim) async throws {
        try await pool.withConnection { connection in
            _ = try await connection.execute(
                SQLFiles.releaseAlert.text, [.int4(claim.app), .text(claim.rule.name), .uuid(claim.id)])
        }
    }

    /// Ends an evaluation that failed: it changes no state.
    func finish(_ claim: Claim, problem: String) async throws {
        try await pool.withConnection { connection in
            _ = try await connection.query(SQLFiles.finishAlert.text, Self.finish(claim, problem: problem))
        }
    }

    /// Ends an evaluation: stores the states, the history and the messages, all of them or none.
    ///
    /// - Returns: The changes, which are none if another collector has taken over, and the number of messages for which
    ///   there was no room.
    func finish(
        _ claim: Claim, _ evaluation: AlertEvaluation
    ) async throws -> (changes: [AlertChange], refused: Int) {
        try await pool.withConnection { connection in
            try await connection.transaction { connection in
                guard try !connection.query(SQLFiles.finishAlert.text, Self.finish(claim, problem: nil)).isEmpty
                else { return ([], 0) }
                let stored = try Self.states(claim.app, only: claim.rule.name, connection).values.first ?? []
                let states = Dictionary(stored.map { ($0.series, $0) }) { first, _ in first }
                let (next, changes, forgotten) = evaluation.apply(to: states, at: claim.now, hold: claim.rule.hold)
                let app = claim.app
                let name = claim.rule.name
                for record in next { try Self.put(record, app, name, connection) }
                for series in forgotten {
                    try connection.execute(
                        SQLFiles.deleteAlertState.text, [.int4(app), .text(name), .text(series)])
                }
                for change in changes { try Self.add(change, app, name, connection) }
                let messages = changes.filter(\.isDelivered).map {
                    AlertMessage($0, of: claim.rule, app: claim.appName)
                }
                let refused = try Self.add(messages, to: claim.rule.destinations, app, connection)
                return (changes, refused)
            }
        }
    }

    private static func finish(_ claim: Claim, problem: String?) -> [Parameter] {
        [
            .int4(claim.app), .text(claim.rule.name), .uuid(claim.id),
            .float8(Double(claim.rule.every.components.seconds)), .text(problem),
        ]
    }

    private static func put(
        _ record: AlertRecord, _ app: Int32, _ name: String, _ connection: isolated Connection
    ) throws {
        try connection.execute(
            SQLFiles.putAlertState.text,
            [
                .int4(app), .text(name), .text(record.series), .text(record.state.phase.rawValue),
                .timestamp(record.state.since.microseconds), .timestamp(record.state.changingSince?.microseconds),
                .timestamp(record.state.seenAt.microseconds), .float8(record.value.value), .float8(record.value.low),
                .float8(record.value.high), .text(record.description),
            ])
    }

    private static func add(
        _ change: AlertChange, _ app: Int32, _ name: String, _ connection: isolated Connection
    ) throws {
        try connection.execute(
            SQLFiles.addAlertTransition.text,
            [
                .uuid(change.id), .int4(app), .text(name), .text(change.series), .text(change.from.rawValue),
                .text(change.to.rawValue), .timestamp(change.at.microseconds), .float8(change.value.value),
                .float8(change.value.low), .float8(change.value.high), .text(change.description),
            ])
    }

    /// Puts messages into the outbox.
    ///
    /// - Parameter destinations: Where they go, or nil for the destinations of the app.
    /// - Returns: The number of those for which there was no room.
    private static func add(
        _ messages: [AlertMessage], to destinations: [AlertDestination]?, _ app: Int32,
        _ connection: isolated Connection
    ) throws -> Int {
        guard !messages.isEmpty else { return 0 }
        // The row has the secret, without which no message is delivered.
        try connection.execute(SQLFiles.createAlertSettings.text, [.int4(app)])
        let stored = try connection.query(SQLFiles.findAlertSettings.text, [.int4(app)]).first?
            .decode(String.self, column: 0)
        let targets = try destinations ?? stored.map(AlertDestination.list(stored:)) ?? []
        let waiting = try connection.query(
            SQLFiles.countWaitingMessages.text, [.int4(app), .int8(Self.waitingLimit)]
        ).first?.decode(Int64.self, column: 0)
        var room = Self.waitingLimit - Int(waiting ?? 0)
        var refused = 0
        for message in messages {
            for target in targets.sorted(by: isBefore) {
                try connection.execute(
                    SQLFiles.addAlertMessage.text,
                    [
                        .int4(app), .uuid(message.id), .text(target.kind.rawValue), .text(target.target),
                        .text(message.subject), .text(message.body(for: target.kind)), .bool(room > 0),
                    ])
                if room > 0 { room -= 1 } else { refused += 1 }
            }
        }
        return refused
    }

    /// The most messages of an app that wait to be delivered.
    static let waitingLimit = 10_000

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

    /// An app whose summary is due.
    struct DueSummary: Sendable {
        let app: Int32
        let appName: String
        let summary: AlertSettings.Summary
        let dueAt: Int64
    }

    func dueSummary() async throws -> DueSummary? {
        try await pool.withConnection { connection in
            guard let row = try await connection.query(SQLFiles.findDueSummary.text).first else { return nil }
            let (app, name, summary, _, dueAt) = try row.decode(
                Int32.self, String.self, String.self, String.self, Int64.self)
            return AlertSettings.Summary(rawValue: summary).map {
                DueSummary(app: app, appName: name, summary: $0, dueAt: dueAt)
            }
        }
    }

    /// Puts a summary into the outbox, and sets when the next one is due, unless another collector has.
    ///
    /// - Parameter message: The summary, or nil to skip it.
    func finish(_ due: DueSummary, _ message: AlertMessage?) async throws {
        try await pool.withConnection { connection in
            try await connection.transaction { connection in
                let rows = try connection.query(
                    SQLFiles.advanceSummary.text, [.int4(due.app), .timestamp(due.dueAt)])
                guard !rows.isEmpty, let message else { return }
                _ = try Self.add([message], to: nil, due.app, connection)
            }
        }
    }

    /// Returns the alerts of an app that fire.
    func firing(app: Int32) async throws -> [(alert: String, record: AlertRecord)] {
        try await alerts(app: app).flatMap { alert in
            alert.states.filter { $0.state.phase == .firing }.map { (alert.rule.name, $0) }
        }
    }
}
