import Foundation
import TestSupport
import Testing

/// Tests `afterpush plan`.
@Suite struct PlanCommandTests {
    private func plans(_ arguments: [String]) async throws -> [[String: Any]] {
        let run = try await Program.run(["plan", "--format", "json", "--events-per-second"] + arguments)
        #expect(run.status == 0 && run.error.isEmpty, "\(run)")
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        return try #require(document?["plans"] as? [[String: Any]])
    }

    @Test func `the command needs neither settings nor a database, and prints a column for each rate`() async throws {
        let nowhere = ["AFTERPUSH_CONFIG": "/nowhere", "AFTERPUSH_DATABASE_URL": "postgres://127.0.0.1:1/none"]
        let run = try await Program.run(["plan", "--events-per-second", "500", "70000"], environment: nowhere)
        #expect(run.status == 0 && run.error.isEmpty, "\(run)")
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.contains(["events", "per", "second,", "average", "500", "70,000"]), "\(run.output)")
        #expect(lines.contains { $0.starts(with: ["resource", "that", "breaks", "first", "none"]) }, "\(run.output)")
    }

    @Test func `options change what they name`() async throws {
        let usual = try #require(try await plans(["1000"]).first)
        for (arguments, name) in [
            (["--peak", "6"], "peak_events_per_second"), (["--single-events", "1"], "single_events"),
            (["--event-bytes", "2000"], "event_bytes"), (["--retention", "36h"], "retention_days"),
            (["--reports-per-minute", "0"], "reports_per_minute"), (["--cores", "12"], "cores"),
            (["--memory", "64"], "memory_gib"), (["--disk", "3.5"], "disk_tb"),
        ] {
            let changed = try #require(try await plans(["1000"] + arguments).first)
            #expect(changed[name] as? Double != usual[name] as? Double, "\(arguments)")
        }
        #expect(try await plans(["1000", "--retention", "36h"]).first?["retention_days"] as? Double == 1.5)
    }

    @Test(arguments: [
        ([], "Missing expected argument '--events-per-second"),
        (["--events-per-second", "0"], "--events-per-second must be from 0.01 to 100000000"),
        (["--events-per-second", "nan"], "--events-per-second must be from 0.01 to 100000000"),
        (["--events-per-second", "1,000"], "The value '1,000' is invalid for '--events-per-second"),
        (["--events-per-second", "1000", "--peak", "0.5"], "--peak must be from 1 to 1000"),
        (["--events-per-second", "1000", "--single-events", "50"], "--single-events must be from 0 to 1"),
        (["--events-per-second", "1000", "--event-bytes", "40000"], "--event-bytes must be from 1 to 32768"),
        (["--events-per-second", "1000", "--retention", "soon"], "--retention must be a number of days"),
        (["--events-per-second", "1000", "--retention", "forever"], "--retention must be a number of days"),
        (["--events-per-second", "1000", "--disk", "inf"], "--disk must be from 0.01 to 10000"),
        (["--events-per-second", "1000", "--format", "csv"], "--format must be table or json"),
    ]) func `bad input is refused with what is valid`(arguments: [String], expected: String) async throws {
        let run = try await Program.run(["plan"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty && run.error.contains(expected), "\(run)")
    }
}
