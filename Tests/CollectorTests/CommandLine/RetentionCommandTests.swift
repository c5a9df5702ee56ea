import Foundation
import Storage
import TestSupport
import Testing

/// Tests `afterpush retention`.
@Suite struct RetentionCommandTests {
    @Test func `the command deletes what a dry run prints, and refuses invalid periods`() async throws {
        let app = try await TestApp()
        let old = Date(timeIntervalSinceNow: -70 * 86_400).formatted(.iso8601)
        #expect(try await app.store([EventJSON.event(["occurred_at": old])]) == 1)
        try await app.rollUp()
        let arguments = ["retention", "--database-url", app.conninfo, "--events", "32d"]
        let plan = try await Program.run(arguments + ["--dry-run"])
        #expect(plan.status == 0 && plan.output.contains("events\tevents_"), "\(plan.output) \(plan.error)")
        let seal = #/hours\tsealed before \d{4}-\d\d-01T00:00:00Z\t\n/#
        #expect(plan.output.contains(seal) && plan.error.contains("these would be deleted or sealed"), "\(plan.output)")
        #expect(try await app.value("select count(*) from afterpush.events") == "1")
        let done = try await Program.run(arguments)
        #expect(done.status == 0 && done.output.contains(seal), "\(done.output) \(done.error)")
        let again = try await Program.run(arguments)
        #expect(again.output.isEmpty && again.error.contains("nothing is past"), "\(again.output) \(again.error)")
        #expect(try await app.value("select count(*) from afterpush.events") == "0")
        for wrong in [["--events", "soon"], ["--deliveries", "1d"], ["--events", "9d", "--deliveries", "8d"]] {
            let output = try await Program.run(["retention", "--database-url", app.conninfo] + wrong)
            #expect(output.status == 2, "\(wrong): \(output.error)")
        }
    }
}
