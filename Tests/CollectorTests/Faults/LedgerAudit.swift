import Foundation
import Postgres
import Storage
import Synchronization
import TestSupport
import Testing

/// Compares the ledger with the database after a fault.
struct LedgerAudit {
    private let ledgers: [EventLedger]
    private let ports: Set<Int>
    private let run: FaultRun
    private let app: TestApp
    private let entries: [UUID: EventLedger.Entry]
    /// The time in seconds to wait for acknowledged events to be stored.
    private let timeout: Int

    /// Creates an audit of the loads of a run.
    ///
    /// - Parameter app: The app that has the events, if it is not the one of the first load.
    init(_ loads: [FaultLoad], _ run: FaultRun, app: TestApp, timeout: Int = 60) {
        self.timeout = timeout
        self.run = run
        self.app = app
        ports = loads.reduce(into: []) { found, load in load.ports.withLock { found.formUnion($0) } }
        ledgers = loads.map(\.ledger)
        entries = ledgers.reduce(into: [:]) { $0.merge($1.entries) { first, _ in first } }
    }

    init(_ load: FaultLoad, _ run: FaultRun) {
        self.init([load], run, app: load.app)
    }

    /// Checks the invariants I1 to I5, which docs/fault-tests.md explains.
    ///
    /// - Parameter foreign: the number of events that the test itself stored.
    func check(foreign: Set<UUID> = []) async throws {
        try await drained(foreign: foreign)
        for violation in ledgers.flatMap(\.figures.violations) { run.expect(false, violation) }
        let finalEntries = entries.values.filter { $0.outcome != .unknown }
        run.expect(finalEntries.count == entries.count, "\(entries.count - finalEntries.count) events are not final")
        try await checkEvents(foreign: foreign)
        try await checkReplies()
        try await checkRejections()
        try await checkRollups()
        for port in ports.sorted() { await MetricsAudit(port: port, timeout: timeout).check(run) }
    }

    /// Waits until all acknowledged events are in the tables, including spooled ones.
    private func drained(foreign: Set<UUID>) async throws {
        let expected = entries.values.filter { $0.outcome == .ok }.count + foreign.count
        let sql = "select count(*) from afterpush.events where app_id = \(app.app.id)"
        _ = await run.wait(timeout) { try await app.value(sql).flatMap { Int($0) } ?? 0 >= expected }
    }

    /// Checks I1, I2 and I3: each acknowledged event is one row with the sent content, and there is no other row.
    private func checkEvents(foreign: Set<UUID>) async throws {
        let sql = """
            select event_id::text, concat_ws('|', kind, notification_id, device_id,
                (extract(epoch from device_time) * 1000000)::bigint, coalesce(action_identifier, ''),
                coalesce(campaign_id, ''), coalesce(platform, ''), properties ->> 'mark')
            from afterpush.events where app_id = \(app.app.id)
            """
        var rows: [UUID: [String]] = [:]
        for row in try await texts(sql) {
            guard let id = row.first.flatMap({ UUID(uuidString: $0) }) else { continue }
            rows[id, default: []].append(row.last ?? "")
        }
        for (id, entry) in entries {
            let found = rows[id] ?? []
            switch entry.outcome {
            case .ok where entry.event.code != nil:
                run.expect(false, "an invalid event was accepted: \(entry.event.json)")
            case .ok:
                run.expect(found.count == 1, "I1: \(found.count) rows of an event acknowledged: \(id)")
                let isSame = found.allSatisfy { $0 == entry.event.content }
                run.expect(isSame, "I1: other content than was sent: \(found) for \(entry.event.content)")
            case .definiteFail(let code):
                run.expect(found.isEmpty, "I2: a row of an event that was rejected: \(id)")
                run.expect(code == entry.event.code, "rejected as \(code): \(entry.event.json)")
            case .unknown:
                run.expect(found.count <= 1, "I2: \(found.count) rows of one event: \(id)")
            }
        }
        let unknownIDs = rows.keys.filter { entries[$0] == nil && !foreign.contains($0) }
        run.expect(unknownIDs.isEmpty, "I3: \(unknownIDs.count) rows that were never sent")
    }

    private func checkReplies() async throws {
        let expected = entries.values.filter { $0.outcome == .ok && $0.event.hasText }.count
        let sql =
            "select count(*) || '/' || count(distinct event_id) from afterpush.replies where app_id = \(app.app.id)"
        let found = try await app.value(sql) ?? ""
        run.expect(found == "\(expected)/\(expected)", "I1: \(found) replies instead of \(expected)")
    }

    /// Checks that each invalid event is kept once with its code, and that nothing else is kept.
    private func checkRejections() async throws {
        // Probes are not part of the load.
        let sql = """
            select event_id, code from afterpush.rejected_events
            where app_id = \(app.app.id) and event_id <> '\(Faults.probeID)'
            """
        let expected = entries.values.filter { $0.event.code != nil && $0.outcome != .unknown }
            .map { [$0.event.id.uuidString, $0.event.code ?? ""] }
        // Spooled events are stored when the spool is drained.
        _ = await run.wait(timeout) { try await texts(sql).count >= expected.count }
        let stored = try await texts(sql)
        run.expect(
            stored.sorted { $0[0] < $1[0] } == expected.sorted { $0[0] < $1[0] },
            "rejected_events: \(stored.count) rows instead of \(expected.count)")
    }

    /// Checks I4 and I5: the batches add up to the events, and every layer is the sum of the previous one.
    private func checkRollups() async throws {
        try await app.rollUp()
        let sql = """
            select (select coalesce(sum(events), 0) from afterpush.batches where app_id = \(app.app.id))
                 - (select count(*) from afterpush.events where app_id = \(app.app.id))
            """
        let difference = try await app.value(sql) ?? ""
        run.expect(difference == "0", "I4: batches and events differ by \(difference)")
        let conflicts = try await app.value(
            "select coalesce(sum(conflicts), 0) from afterpush.batches where app_id = \(app.app.id)")
        run.expect(conflicts == "0", "\(conflicts ?? "") events were taken for others of the same id")
        let differences = try await app.maintenance.verify()
        run.expect(differences.isEmpty, "I5: \(differences.prefix(3).map { "\($0.layer): \($0.row)" })")
        let waiting = try await app.maintenance.waitingBatches()
        run.expect(waiting == 0, "\(waiting) batches wait")
    }

    private func texts(_ sql: String) async throws -> [[String]] {
        try await app.database.owner.withConnection { connection in
            try await connection.query(sql, format: .text).map { row in [row.text(0) ?? "", row.text(1) ?? ""] }
        }
    }
}
