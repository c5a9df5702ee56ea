import AfterpushWire
import Declarations
import Foundation
import Storage
import TestSupport
import Testing

/// Tests which version of a category a delivery belongs to around the hour of a change.
@Suite struct CategoryVersionHourTests {
    @Test func `a version is effective for the whole hour of its effective time`() async throws {
        let app = try await TestApp()
        func put(_ actions: String, effectiveFrom: String) async throws {
            let set = try CategorySet(
                json: Data(
                    """
                    {"effective_from":"\(effectiveFrom)","categories":[{"identifier":"c","actions":[\(actions)]}]}
                    """.utf8))
            _ = try await app.registry.putCategories(set, app: app.app, at: Timestamp(microseconds: 0))
        }
        try await put(#"{"identifier":"old"}"#, effectiveFrom: "2026-11-01T00:00:00Z")
        try await put(#"{"identifier":"new"}"#, effectiveFrom: "2026-11-20T10:30:00Z")
        let times = ["2026-11-20T09:59:59Z", "2026-11-20T10:00:00Z", "2026-11-20T10:05:00Z", "2026-11-20T11:00:00Z"]
        let events = times.enumerated().map { number, time in
            EventJSON.event([
                "kind": "sent", "category_id": "c", "occurred_at": time, "notification_id": "n\(number)",
            ])
        }
        try await app.store(events)
        try await app.rollUp()
        let report = CSV.parse(
            try await Program.psql(
                app.conninfo, file: Program.root.appending(path: "sql/reports/actions.sql").path,
                variables: ["app": "shop", "min_n": "1"]))
        let offered = report.dropFirst().map { "\($0[3] ?? "")=\($0[6] ?? "")" }
        #expect(offered.sorted() == ["new=3", "old=1"])
    }

    @Test func `a version put with an earlier effective time does not end a later one`() async throws {
        let app = try await TestApp()
        func put(_ action: String, effectiveFrom: String) async throws {
            let set = try CategorySet(
                json: Data(
                    """
                    {"effective_from":"\(effectiveFrom)","categories":[
                        {"identifier":"c","actions":[{"identifier":"\(action)"}]}]}
                    """.utf8))
            _ = try await app.registry.putCategories(set, app: app.app, at: Timestamp(microseconds: 0))
        }
        try await put("one", effectiveFrom: "2026-11-01T00:00:00Z")
        try await put("two", effectiveFrom: "2026-11-20T00:00:00Z")
        try await put("three", effectiveFrom: "2026-11-10T00:00:00Z")
        func action(at time: String) async throws -> String? {
            let time = try #require(Timestamp(time))
            return try await app.registry.categories(app: app.app, inForceAt: time).first?
                .declaration.actions.first?.identifier
        }
        #expect(try await action(at: "2026-10-01T00:00:00Z") == "one")
        #expect(try await action(at: "2026-11-10T00:00:00Z") == "three")
        #expect(try await action(at: "2026-11-19T23:59:59Z") == "three")
        #expect(try await action(at: "2026-11-20T00:00:00Z") == "two")
        let inForce = try await app.value(
            "select string_agg(version || ' ' || in_force_from::date, ', ' order by in_force_from) "
                + "from afterpush.category_versions where in_force_from > '-infinity'")
        #expect(inForce == "3 2026-11-10, 2 2026-11-20")
    }
}
