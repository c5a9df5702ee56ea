import Foundation
import Storage
import TestSupport
import Testing

extension Faults {
    /// Tests that the audit finds changes made directly in the tables.
    @Suite struct LedgerAuditTests {
        @Test(arguments: [
            (
                "I1: 0 rows",
                "delete from afterpush.events where event_id = (select min(event_id::text)::uuid from afterpush.events)"
            ),
            ("I1: other content", "update afterpush.events set properties = '{\"mark\": \"x\"}'"),
            (
                "I1: 2 rows",
                """
                insert into afterpush.events
                select (jsonb_populate_record(events, jsonb_build_object('delivery_id', gen_random_uuid()))).*
                from afterpush.events where kind = 'read' limit 1
                """
            ),
            (
                "I1: ",
                "delete from afterpush.replies where event_id in (select event_id from afterpush.replies limit 1)"
            ),
            (
                "I3: ",
                """
                insert into afterpush.events (delivery_id, event_id, device_time, occurred_at, batch_id, app_id, kind,
                    verified, device_id, notification_id)
                select gen_random_uuid(), gen_random_uuid(), now(), now(), 1, app_id, 'read', true, 'd', 'n'
                from afterpush.apps
                """
            ),
            ("I4: ", "update afterpush.batches set events = events + 1"),
            ("I5: ", "update afterpush.rollup_delivery_counts set opened = opened + 1"),
            (
                "rejected_events: ",
                """
                insert into afterpush.rejected_events (app_id, received_at, code, detail, event_id, event)
                select app_id, now(), 'x', 'x', 'x', 'x' from afterpush.apps
                """
            ),
        ])
        func `the audit finds changed tables`(finding: String, tampering: String) async throws {
            let run = FaultRun(seed: 1, isSerious: false)
            try await Faults.withCollector(run) { app, collector in
                let load = FaultLoad(app, run)
                try await load.against([collector.port]) { try await Task.sleep(for: .milliseconds(400)) }
                try await LedgerAudit([load], run, app: app, timeout: 2).check()
                #expect(run.failures == [])
                try await Faults.sql(tampering, app)
                try await LedgerAudit([load], run, app: app, timeout: 0).check()
                #expect(run.failures.contains { $0.hasPrefix(finding) }, "\(run.failures.prefix(3))")
            }
        }
    }
}
