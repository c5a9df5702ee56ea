import AfterpushWire
import Declarations
import Events
import Foundation
import JSON
import Postgres
import SQLFiles

// The evaluation of rules.
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

    /// Returns the parameters of who has a turn: apps that have none, and a number of others.
    static func turns(_ excluded: [Int32], _ numbers: [Int32: Int64]) -> [Parameter] {
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

    /// What the end of an evaluation changed.
    struct Finish: Sendable {
        /// The changes, which are none if another collector has taken over.
        var changes: [AlertChange] = []
        /// The number of messages for which there was no room.
        var refused = 0
    }

    /// Ends an evaluation: stores the states, the history and the messages, all of them or none.
    ///
    /// It stops between two statements when its task is cancelled, and each statement has a time limit, so that it holds
    /// its connection little longer than its caller waits.
    func finish(_ claim: Claim, _ evaluation: AlertEvaluation) async throws -> Finish {
        try await pool.withConnection { connection in
            try await connection.transaction { connection in
                try connection.limitStatements(to: Self.statementLimit)
                guard try !connection.query(SQLFiles.lockAlertClaim.text, Self.key(claim)).isEmpty
                else { return Finish() }
                let outcome = try Self.outcome(of: evaluation, claim, connection)
                var problem: String?
                if outcome.unwatched > 0 {
                    problem =
                        "a rule watches at most \(AlertLimits.seriesOfRule) rows, and an app has at most "
                        + "\(AlertLimits.states) states; not watched: \(outcome.unwatched) rows"
                }
                try Self.put(outcome, claim, connection)
                let refused = try Self.add(outcome.changes, claim, connection)
                try connection.execute(SQLFiles.finishAlert.text, Self.finish(claim, problem: problem))
                return Finish(changes: outcome.changes, refused: refused)
            }
        }
    }

    /// The time limit of each statement at the end of an evaluation.
    private static let statementLimit: Duration = .seconds(10)

    private static func outcome(
        of evaluation: AlertEvaluation, _ claim: Claim, _ connection: isolated Connection
    ) throws -> AlertEvaluation.Outcome {
        let stored = try states(claim.app, only: claim.rule.name, limit: .max, connection).values.first ?? []
        let states = Dictionary(stored.map { ($0.series, $0) }) { first, _ in first }
        var room = 0
        if evaluation.results.contains(where: { states[$0.series] == nil }) {
            let count = try connection.query(SQLFiles.countAlertStates.text, [.int4(claim.app)]).first?
                .decode(Int64.self, column: 0)
            room = AlertLimits.states - Int(count ?? 0)
        }
        try Task.checkCancellation()
        return evaluation.outcome(after: states, at: claim.now, hold: claim.rule.hold, room: room)
    }

    private static func key(_ claim: Claim) -> [Parameter] {
        [.int4(claim.app), .text(claim.rule.name), .uuid(claim.id)]
    }

    private static func finish(_ claim: Claim, problem: String?) -> [Parameter] {
        key(claim) + [
            .float8(Double(claim.rule.every.components.seconds)),
            .text(problem?.cut(toBytes: AlertLimits.descriptionBytes)),
        ]
    }

    private static func put(
        _ outcome: AlertEvaluation.Outcome, _ claim: Claim, _ connection: isolated Connection
    ) throws {
        let rule: [Parameter] = [.int4(claim.app), .text(claim.rule.name)]
        let records = outcome.states
        if !records.isEmpty {
            try connection.execute(
                SQLFiles.putAlertStates.text,
                rule + [
                    .textArray(records.map(\.series)), .textArray(records.map(\.state.phase.rawValue)),
                    .timestampArray(records.map(\.state.since.microseconds)),
                    .timestampArray(records.map(\.state.changingSince?.microseconds)),
                    .timestampArray(records.map(\.state.seenAt.microseconds)),
                    .float8Array(records.map(\.value.value)), .float8Array(records.map(\.value.low)),
                    .float8Array(records.map(\.value.high)), .textArray(records.map(\.description)),
                ])
        }
        if !outcome.forgotten.isEmpty {
            try connection.execute(SQLFiles.deleteAlertStates.text, rule + [.textArray(outcome.forgotten)])
        }
        try Task.checkCancellation()
    }

    /// Adds changes to the history, and their messages to the outbox.
    ///
    /// - Returns: The number of messages for which there was no room.
    private static func add(
        _ changes: [AlertChange], _ claim: Claim, _ connection: isolated Connection
    ) throws -> Int {
        guard !changes.isEmpty else { return 0 }
        let delivered = changes.filter(\.isDelivered)
        var refused: [UUID: Int] = [:]
        if !delivered.isEmpty {
            let room = try room(for: claim.rule.destinations, claim.app, connection)
            for (place, change) in delivered.enumerated() { refused[change.id] = room.refused(at: place) }
            let messages = delivered.map { AlertMessage($0, of: claim.rule, app: claim.appName) }
            try add(messages, room, claim.app, connection)
            try Task.checkCancellation()
        }
        try connection.execute(
            SQLFiles.addAlertChanges.text,
            [
                .int4(claim.app), .text(claim.rule.name), .timestamp(claim.now.microseconds),
                .uuidArray(changes.map(\.id)), .textArray(changes.map(\.series)),
                .textArray(changes.map(\.from.rawValue)), .textArray(changes.map(\.to.rawValue)),
                .float8Array(changes.map(\.value.value)), .float8Array(changes.map(\.value.low)),
                .float8Array(changes.map(\.value.high)), .textArray(changes.map(\.description)),
                .int4Array(changes.map { Int32(refused[$0.id] ?? 0) }),
            ])
        try trimHistory(claim.app, connection)
        return refused.values.reduce(0, +)
    }

    /// Deletes the oldest changes of an app that are too many.
    static func trimHistory(_ app: Int32, _ connection: isolated Connection) throws {
        try connection.execute(
            SQLFiles.trimAlertHistory.text,
            [.int4(app), .int8(AlertLimits.history), .int8(AlertLimits.deletion)])
    }
}
