import Foundation
import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// Tests that a report of which only some rows are wanted computes only these.
@Suite struct WantedRowsTests {
    @Test func `a section of health is the same alone, and most read no event`() async throws {
        let app = try await TestApp()
        for device in ["d1", "d2", "d3"] {
            try await app.store(
                ["sent", "delivered", "opened"].map {
                    EventJSON.event([
                        "kind": $0, "notification_id": "n", "device_id": device, "app_version": "1.0",
                        "platform": "ios",
                    ])
                })
        }
        try await app.rollUp()
        let reports = ReportService(pool: app.database.reportReads)
        let health = try reports.catalogue.report(named: "health")
        func rows(_ wanted: [String: String]) async throws -> [[String?]] {
            let parameters = try ReportParameters(validating: [:], for: health)
            let result = try await reports.run(health, parameters, app: app.app.id, name: "shop", wanted: wanted)
            return result.rows.map { Array($0) }
        }
        let all = try await rows([:])
        let sections = Set(all.compactMap(\.[0]))
        #expect(sections.isSuperset(of: ["intake", "rollups", "delay", "coverage_app_version", "verified", "final"]))
        for section in sections {
            // These depend on the time of now.
            guard !["rollups", "intake", "spool"].contains(section) else { continue }
            #expect(try await rows(["section": section]) == all.filter { $0[0] == section }, "\(section)")
        }

        try await app.database.owner.withConnection {
            try await $0.script(
                """
                create function afterpush.refuse() returns boolean language plpgsql as $$
                begin
                    raise exception 'an event is read';
                end
                $$;
                grant execute on function afterpush.refuse() to public;
                create policy refuse on afterpush.events as restrictive for select to afterpush_report
                    using (afterpush.refuse())
                """)
        }
        await #expect(throws: (any Error).self) { try await rows([:]) }
        await #expect(throws: (any Error).self) { try await rows(["section": "conflicting"]) }
        await #expect(throws: (any Error).self) { try await rows(["section": "coverage_app_version"]) }
        for section in [
            "rollups", "intake", "spool", "past_limit", "verified", "clock", "delay", "response_time", "final", "day",
        ] {
            #expect(try await !rows(["section": section]).isEmpty, "\(section)")
        }
    }
}
