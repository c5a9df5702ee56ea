import Foundation
import Storage
import TestSupport
import Testing

@Suite struct PartitionStartTests {
    @Test func `a collector that starts makes the missing partition of the present month`() async throws {
        let app = try await TestApp()
        let month = "'afterpush.events_' || to_char(now() at time zone 'UTC', 'YYYY_MM')"
        try await TestCluster.script("do $$ begin execute 'drop table ' || \(month); end $$", on: app.conninfo)
        let missing = "select to_regclass(\(month)) is null"
        #expect(try await app.value(missing) == "t")
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let deadline = ContinuousClock.now + .seconds(30)
        while try await app.value(missing) == "t" {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "no partition was created") }
            try await Task.sleep(for: .milliseconds(50))
        }
        await collector.stop()
    }
}
