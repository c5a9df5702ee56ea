import Foundation
import Postgres
import SQLFiles

// The summaries that are due.
extension AlertStore {
    /// An app whose summary is due.
    struct DueSummary: Sendable {
        let app: Int32
        let appName: String
        let summary: AlertSettings.Summary
        let dueAt: Int64
    }

    /// Returns the summary that has been due for longest, or nil if none is.
    ///
    /// - Parameter excluded: Apps that have no turn now.
    func dueSummary(excluding excluded: [Int32]) async throws -> DueSummary? {
        try await pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.findDueSummary.text, [.int4Array(excluded)])
            guard let row = rows.first else { return nil }
            let (app, name, summary, dueAt) = try row.decode(Int32.self, String.self, String.self, Int64.self)
            return AlertSettings.Summary(rawValue: summary).map {
                DueSummary(app: app, appName: name, summary: $0, dueAt: dueAt)
            }
        }
    }

    /// The alerts of an app that fire, as many as a summary names, and how many fire in all.
    typealias Firing = (shown: [(alert: String, record: AlertRecord)], count: Int64)

    /// Puts a summary into the outbox, and sets when the next one is due, unless another collector has.
    ///
    /// The alerts that fire are read under the lock of the app's settings, which erasures of its devices take: their texts
    /// may name a device.
    ///
    /// - Parameter message: Makes the summary; nil to skip it.
    func finish(_ due: DueSummary, _ message: (@Sendable (Firing) -> AlertMessage)?) async throws {
        try await pool.withConnection { connection in
            try await connection.transaction { connection in
                let rows = try connection.query(
                    SQLFiles.advanceSummary.text, [.int4(due.app), .timestamp(due.dueAt)])
                guard !rows.isEmpty, let message else { return }
                let summary = message(try Self.firing(due.app, connection))
                try Self.add([summary], try Self.room(for: nil, due.app, connection), due.app, connection)
            }
        }
    }

    static func firing(_ app: Int32, _ connection: isolated Connection) throws -> Firing {
        let alerts = try alerts(app, limit: AlertLimits.summarizedAlerts, connection)
        let shown = alerts.flatMap { alert in
            alert.states.filter { $0.state.phase == .firing }.map { (alert.rule.name, $0) }
        }
        return (shown, alerts.reduce(0) { $0 + $1.counts.firing })
    }
}
