package import AfterpushWire
import Declarations
import Events
import Foundation
package import Postgres
import SQLFiles

/// The rules, states and messages of alerts in the database.
package struct AlertStore: Sendable {
    let pool: ConnectionPool

    /// Creates a store.
    ///
    /// - Parameter pool: The pool of the worker role, or of the owner.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }
}

// What teams put.
extension AlertStore {
    /// A rule with its states and its last evaluation.
    package struct Alert: Sendable {
        package let rule: AlertRule
        package let evaluatedAt: AfterpushWire.Timestamp?
        package let problem: String?
        /// The states, or some of them, of which `counts` has the numbers.
        package let states: [AlertRecord]
        package let counts: StateCounts
    }

    /// How many of a rule's states are in each phase.
    package struct StateCounts: Sendable, Equatable {
        package let ok: Int64
        package let pending: Int64
        package let firing: Int64
    }

    /// A change in the history, with the numbers of its messages.
    package struct PastChange: Sendable {
        package let change: AlertChange
        package let alert: String
        package let delivered: Int64
        package let waiting: Int64
        package let failed: Int64
    }

    /// Puts a rule, or replaces the one with its name, and enables its destinations again.
    ///
    /// - Throws: `DeclarationError` if the app has too many rules.
    package func put(_ rule: AlertRule, app: Int32) async throws {
        let destinations = (rule.destinations ?? []).sorted(by: Self.isBefore)
        try await pool.withConnection(of: app) { connection in
            try await connection.transaction { connection in
                _ = try connection.query(SQLFiles.lockApp.text, [.int4(app)])
                let others = try connection.query(SQLFiles.countOtherAlerts.text, [.int4(app), .text(rule.name)])
                    .first?.decode(Int64.self, column: 0)
                guard rule.isBuiltIn || (others ?? 0) < AlertLimits.rules else {
                    throw DeclarationError(.entry(.limitExceeded), "an app has at most \(AlertLimits.rules) alerts")
                }
                try connection.execute(
                    SQLFiles.putAlert.text,
                    [
                        .int4(app), .text(rule.name), .bool(rule.isBuiltIn), .bool(rule.isEnabled),
                        .jsonb(rule.definition), .jsonb(rule.destinations.map(AlertDestination.stored)),
                    ])
                try Self.enable(destinations, app, connection)
            }
        }
    }

    /// Deletes a rule; a built-in one is turned off instead. Returns whether there was one.
    package func delete(_ name: String, app: Int32) async throws -> Bool {
        guard let alert = try await alerts(app: app, only: name, limit: 0).first else { return false }
        if alert.rule.isBuiltIn {
            var rule = alert.rule
            rule.isEnabled = false
            try await put(rule, app: app)
            return true
        }
        return try await pool.withConnection(of: app) { connection in
            try await connection.transaction { connection in
                _ = try connection.query(SQLFiles.lockAlert.text, [.int4(app), .text(name)])
                let deleted = try connection.execute(SQLFiles.deleteAlert.text, [.int4(app), .text(name)])
                try Self.trimHistory(app, connection)
                return deleted > 0
            }
        }
    }

    /// Returns the rules of an app with their states, sorted by name.
    ///
    /// - Parameters:
    ///   - name: The only rule to return, or nil for all.
    ///   - limit: The most states of all of these rules together. Those that fire come first. The default for one rule
    ///     are all of its states.
    package func alerts(app: Int32, only name: String? = nil, limit: Int? = nil) async throws -> [Alert] {
        let limit = limit ?? (name == nil ? AlertLimits.shownStates : .max)
        return try await pool.withConnection(of: app) { connection in
            try await connection.transaction(.readOnlyRepeatable) { connection in
                try Self.alerts(app, only: name, limit: limit, connection)
            }
        }
    }

    static func alerts(
        _ app: Int32, only name: String? = nil, limit: Int, _ connection: isolated Connection
    ) throws -> [Alert] {
        let states = try states(app, only: name, limit: limit, connection)
        return try connection.query(SQLFiles.listAlerts.text, [.int4(app), .text(name)]).map { row in
            let (name, builtIn, enabled, definition, destinations, evaluated, problem, ok, pending, firing) =
                try row.decode(
                    String.self, Bool.self, Bool.self, String.self, String?.self, Int64?.self, String?.self,
                    Int64.self, Int64.self, Int64.self)
            var rule = try AlertRule(Array(definition.utf8), name: name)
            rule.isBuiltIn = builtIn
            rule.isEnabled = enabled
            rule.destinations = try destinations.map(AlertDestination.list(stored:))
            return Alert(
                rule: rule, evaluatedAt: evaluated.map { AfterpushWire.Timestamp(microseconds: $0) },
                problem: problem, states: states[Array(name.utf8)] ?? [],
                counts: StateCounts(ok: ok, pending: pending, firing: firing))
        }
    }

    /// Returns the latest changes of an app's alerts, the latest first.
    package func history(app: Int32, limit: Int = 200) async throws -> [PastChange] {
        try await pool.withConnection(of: app) { connection in
            try await connection.query(SQLFiles.listAlertHistory.text, [.int4(app), .int4(Int32(limit))]).map { row in
                let (id, alert, series, from, to, at, description, delivered, waiting, failed) = try row.decode(
                    UUID.self, String.self, String.self, String.self, String.self, Int64.self, String.self,
                    Int64.self, Int64.self, Int64.self)
                let change = AlertChange(
                    id: id, series: series, from: AlertState.Phase(rawValue: from) ?? .ok,
                    to: AlertState.Phase(rawValue: to) ?? .ok, at: AfterpushWire.Timestamp(microseconds: at),
                    value: AlertValue(), description: description)
                return PastChange(
                    change: change, alert: alert, delivered: delivered, waiting: waiting, failed: failed)
            }
        }
    }

    package func settings(app: Int32) async throws -> AlertSettings {
        try await pool.withConnection(of: app) { connection in
            var settings = AlertSettings()
            guard let row = try await connection.query(SQLFiles.findAlertSettings.text, [.int4(app)]).first else {
                return settings
            }
            let (destinations, summary) = try row.decode(String.self, String?.self)
            settings.destinations = try AlertDestination.list(stored: destinations)
            settings.summary = summary.flatMap(AlertSettings.Summary.init)
            return settings
        }
    }

    /// Sets the destinations of an app, and enables them again.
    package func put(_ settings: AlertSettings, app: Int32) async throws {
        let destinations = settings.destinations.sorted(by: Self.isBefore)
        try await pool.withConnection(of: app) { connection in
            try await connection.transaction { connection in
                try connection.execute(
                    SQLFiles.putAlertSettings.text,
                    [
                        .int4(app), .jsonb(AlertDestination.stored(settings.destinations)),
                        .text(settings.summary?.rawValue),
                    ])
                try Self.enable(destinations, app, connection)
            }
        }
    }

    /// Returns the destinations that answered 410.
    package func disabledDestinations(app: Int32) async throws -> [AlertDestination] {
        try await pool.withConnection(of: app) { connection in
            try await Self.disabledDestinations(app, connection)
        }
    }

    static func disabledDestinations(
        _ app: Int32, _ connection: isolated Connection
    ) throws -> [AlertDestination] {
        try connection.query(SQLFiles.listDisabledDestinations.text, [.int4(app)]).compactMap { row in
            let (kind, target) = try row.decode(String.self, String.self)
            return AlertDestination.Kind(rawValue: kind).map { AlertDestination(kind: $0, target: target) }
        }
    }

    /// Returns the secret that signs the webhooks of an app.
    ///
    /// - Parameter rotating: Whether to make a new one first.
    package func secret(app: Int32, rotating: Bool = false) async throws -> [UInt8] {
        try await pool.withConnection(of: app) { connection in
            try await connection.transaction { connection in
                try connection.execute(SQLFiles.createAlertSettings.text, [.int4(app)])
                if rotating { try connection.execute(SQLFiles.rotateAlertSecret.text, [.int4(app)]) }
                return try connection.query(SQLFiles.findAlertSecret.text, [.int4(app)]).first?
                    .decode(Bytes.self, column: 0).bytes ?? []
            }
        }
    }

    /// Gives every app the built-in rules.
    package func install() async throws {
        let rules = BuiltInAlerts.rules
        try await pool.withConnection { connection in
            _ = try await connection.execute(
                SQLFiles.installAlerts.text,
                [.textArray(rules.map(\.name)), .textArray(rules.map(\.definition)), .float8(30)])
        }
    }

    /// Deletes what is kept no longer, by the earlier of the database's clock and the collector's.
    ///
    /// It does so in steps, so that what has been deleted stays deleted even if there is more than a statement's time
    /// limit allows.
    package func deleteOld(at now: AfterpushWire.Timestamp) async throws {
        for statement in [SQLFiles.deleteOldAlertMessages, SQLFiles.deleteOldAlertHistory] {
            var deleted = 0
            repeat {
                try Task.checkCancellation()
                deleted = try await pool.withConnection { connection in
                    try await connection.execute(
                        statement.text, [.timestamp(now.microseconds), .int8(AlertLimits.deletion)])
                }
            } while deleted == AlertLimits.deletion
        }
    }

    private static func enable(
        _ destinations: [AlertDestination], _ app: Int32, _ connection: isolated Connection
    ) throws {
        for destination in destinations {
            try connection.execute(
                SQLFiles.enableDestination.text,
                [.int4(app), .text(destination.kind.rawValue), .text(destination.target)])
        }
    }

    static func isBefore(_ left: AlertDestination, _ right: AlertDestination) -> Bool {
        (left.kind.rawValue, left.target) < (right.kind.rawValue, right.target)
    }

    /// Returns states of an app's alerts, by the bytes of the rule's name.
    static func states(
        _ app: Int32, only name: String?, limit: Int, _ connection: isolated Connection
    ) throws -> [[UInt8]: [AlertRecord]] {
        var states: [[UInt8]: [AlertRecord]] = [:]
        let parameters: [Parameter] = [.int4(app), .text(name), .int8(limit)]
        for row in try connection.query(SQLFiles.listAlertStates.text, parameters) {
            let (name, series, phase, since, changing, seen, value, low, high, description) = try row.decode(
                String.self, String.self, String.self, Int64.self, Int64?.self, Int64.self, Double?.self,
                Double?.self, Double?.self, String.self)
            let state = AlertState(
                phase: AlertState.Phase(rawValue: phase) ?? .ok,
                since: AfterpushWire.Timestamp(microseconds: since),
                changingSince: changing.map { AfterpushWire.Timestamp(microseconds: $0) },
                seenAt: AfterpushWire.Timestamp(microseconds: seen))
            states[Array(name.utf8), default: []].append(
                AlertRecord(
                    series: series, state: state, value: AlertValue(value: value, low: low, high: high),
                    description: description))
        }
        return states
    }
}
