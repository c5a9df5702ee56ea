import Declarations
import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests reports with small examples whose numbers follow from the definitions of the metrics.
@Suite struct MetricExampleTests {
    private typealias Fields = [String: any Sendable]

    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private func event(_ kind: String, at time: String, _ fields: Fields = [:]) -> Fields {
        EventJSON.event(["kind": kind, "occurred_at": time].merging(fields) { $1 })
    }

    private func store(_ events: [Fields]) async throws {
        try await app.store(events)
        try await app.rollUp()
    }

    /// The named columns of a report's rows.
    private func rows(
        _ report: String, _ columns: [String], _ variables: [String: String] = [:]
    ) async throws -> [[String]] {
        let table = CSV.parse(
            try await Program.psql(
                app.conninfo, file: Program.root.appending(path: "sql/reports/\(report).sql").path,
                variables: ["app": "shop", "min_n": "1"].merging(variables) { $1 }))
        let head = try #require(table.first)
        let places = try columns.map { column in try #require(head.firstIndex(of: column), "no column \(column)") }
        return table.dropFirst().map { row in places.map { row[$0] ?? "" } }
    }

    @Test func `response times say how many responses have a start to measure from`() async throws {
        try await store([
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n1"]),
            event("opened", at: "2026-11-20T10:01:00Z", ["notification_id": "n1"]),
            event("opened", at: "2026-11-20T10:01:00Z", ["notification_id": "n2"]),
        ])
        #expect(try await rows("response-time", ["responded", "timed"]) == [["2", "1"]])
        #expect(try await rows("response-time", ["responded", "timed"], ["from": "2030-01-01"]) == [["0", "0"]])
    }

    private func at(_ time: String, _ seconds: Int) -> String {
        guard let date = try? Date(time, strategy: .iso8601) else { return time }
        return date.addingTimeInterval(Double(seconds)).formatted(.iso8601)
    }

    /// An event of a delivery to a device of its own, some seconds after a time.
    private func event(_ kind: String, of delivery: String, _ seconds: Int, after time: String) -> Fields {
        event(kind, at: at(time, seconds), ["notification_id": delivery, "device_id": delivery])
    }

    @Test func `quantiles of response times allow for deliveries that can still be answered`() async throws {
        let old = "2026-11-20T10:00:00Z"
        let recent = at(Date().formatted(.iso8601), -600)
        try await store([
            event("delivered", of: "n1", 0, after: old), event("opened", of: "n1", 60, after: old),
            event("delivered", of: "n2", 0, after: old), event("opened", of: "n2", 3600, after: old),
            event("delivered", of: "n3", 0, after: recent), event("delivered", of: "n4", 0, after: recent),
        ])
        // A quarter answers within a minute. Of the rest, those that were observed for an hour answered then.
        let columns = ["responded", "p50_seconds", "p90_seconds", "clock"]
        #expect(try await rows("response-time", columns) == [["2", "3600", "3600", "confirmed"]])
        #expect(try await rows("response-time", columns, ["to": "2026-11-21"]) == [["2", "60", "3600", "confirmed"]])
    }

    @Test func `response times have one clock`() async throws {
        let time = "2026-11-20T10:00:00Z"
        try await store([
            event("sent", of: "n1", 0, after: time), event("delivered", of: "n1", 300, after: time),
            event("opened", of: "n1", 360, after: time),
            event("sent", of: "n2", 0, after: time), event("opened", of: "n2", 100, after: time),
            event("sent", of: "n3", 0, after: time),
        ])
        let columns = ["responded", "p50_seconds", "p90_seconds", "timed", "clock"]
        #expect(try await rows("response-time", columns) == [["2", "100", "360", "2", "sent"]])
        #expect(
            try await rows("response-time", columns, ["clock": "confirmed"]) == [["2", "60", "60", "1", "confirmed"]])
    }

    @Test func `deliveries that failed or were replaced are observed until then`() async throws {
        let time = "2026-11-20T10:00:00Z"
        try await store([
            event("sent", of: "n1", 0, after: time), event("replaced", of: "n1", 50, after: time),
            event("sent", of: "n2", 0, after: time), event("opened", of: "n2", 100, after: time),
            event("sent", of: "n3", 0, after: time),
            event("sent", of: "n4", 0, after: time), event("failed", of: "n4", 10, after: time),
        ])
        let columns = ["seconds", "at_risk", "responded", "survival", "clock"]
        #expect(
            try await rows("response-time", columns, ["curve": "true"]) == [["100", "2", "1", "0.5", "sent"]])
    }

    @Test func `within counts what happened in that time, of deliveries at least that old`() async throws {
        func sent(_ notification: String, at time: String) -> Fields {
            event("delivered", at: time, ["notification_id": notification, "device_id": notification])
        }
        func acted(_ notification: String, at time: String) -> Fields {
            event(
                "action", at: time,
                ["notification_id": notification, "device_id": notification, "action_identifier": "buy"])
        }
        let hourAgo = Date().addingTimeInterval(-3600).formatted(.iso8601)
        try await store([
            sent("prompt", at: "2026-11-20T10:00:00Z"), acted("prompt", at: "2026-11-20T12:00:00Z"),
            sent("late", at: "2026-11-20T10:00:00Z"), acted("late", at: "2026-11-20T12:00:01Z"),
            sent("young", at: hourAgo), acted("young", at: hourAgo),
        ])
        let columns = ["base_n", "acted", "converted", "conversion_rate", "no_response", "pending"]
        #expect(try await rows("conversion", columns) == [["3", "3", "3", "1", "0", "0"]])
        #expect(try await rows("conversion", columns, ["within": "2h"]) == [["2", "1", "1", "0.5", "1", "0"]])
        #expect(try await rows("conversion", columns, ["within": "3h"]) == [["2", "2", "2", "1", "0", "0"]])
    }

    @Test func `rates say how many devices their base has`() async throws {
        func notification(_ name: String, _ device: String, _ fields: Fields = [:]) -> [Fields] {
            let fields = ["notification_id": name, "device_id": device, "campaign_id": "c"].merging(fields) { $1 }
            let sent = event("sent", at: "2026-11-20T23:30:00Z", fields)
            // One device confirms nothing, and is in no base of confirmed deliveries.
            return device == "silent" ? [sent] : [sent, event("delivered", at: "2026-11-21T00:10:00Z", fields)]
        }
        try await store(
            ["n1", "n2", "n3"].flatMap { notification($0, "a") } + notification("n1", "b")
                + notification("n1", "silent") + notification("n2", "b", ["campaign_id": "other"]))
        let columns = ["devices", "deliveries_per_device"]
        let period = ["from": "2026-11-20", "to": "2026-11-21", "base": "confirmed"]
        let overview = try await rows("overview", ["metric"] + columns, period)
        #expect(overview.first { $0[0] == "open_rate" } == ["open_rate", "2", "2.5"])
        #expect(overview.first { $0[0] == "delivery_rate" } == ["delivery_rate", "3", "2"])
        #expect(overview.first { $0[0] == "sent" } == ["sent", "", ""])
        let byCampaign = ["by": "campaign", "base": "sent", "cluster": "device"]
        #expect(
            try await rows("conversion", ["campaign_id"] + columns, byCampaign) == [
                ["c", "3", "1.6666666666666667"], ["other", "1", "1"],
            ])
        // The day is the zone's.
        let byDay = ["by": "day", "tz": "Asia/Tokyo", "cluster": "device"]
        #expect(try await rows("conversion", ["day"] + columns, byDay) == [["2026-11-21", "3", "2"]])
        #expect(try await rows("conversion", columns) == [["", ""]])
    }

    @Test func `every row of rates names its base, and every missing share its reason`() async throws {
        try await store([
            event("sent", at: "2026-11-20T10:00:00Z", ["notification_id": "n1", "campaign_id": "a"]),
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n2", "campaign_id": "b"]),
            event("delivered", at: "2026-11-20T11:00:00Z", ["notification_id": "n3", "campaign_id": "b"]),
            event("opened", at: "2026-11-20T11:00:00Z", ["notification_id": "n3", "campaign_id": "b"]),
        ])
        let columns = ["base", "base_n"]
        #expect(try await rows("heatmap", columns) == [["mixed", "2"], ["confirmed", "1"]])
        #expect(try await rows("heatmap", columns, ["local": "device"]) == [["mixed", "3"]])
        #expect(try await rows("heatmap", ["base"], ["campaign": "a"]) == [["sent"]])
        let overview = try await rows("overview", ["metric"] + columns)
        #expect(overview.allSatisfy { $0.dropFirst() == ["mixed", "3"] } && overview.count == 13)
        #expect(
            try await rows("funnel", ["step", "share_of_previous", "reason"]) == [
                ["sent", "", ""], ["delivered", "", "uncovered"], ["displayed", "0", ""],
                ["responded", "", "no_base"], ["acted", "0", ""], ["converted", "", "no_base"],
            ])
    }

    @Test func `nothing changes, so no rate falls in the last day at equal age`() async throws {
        let hour = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 3600).rounded(.down) * 3600)
        let day = hour.addingTimeInterval(-24 * 3600).formatted(.iso8601)
        // A delivery an hour for two days, each opened after eight hours. The last ones are not opened yet.
        let hours = (1...48).map { ("n\($0)", at(hour.formatted(.iso8601), -$0 * 3600)) }
        try await store(
            hours.map { event("delivered", of: $0, 0, after: $1) }
                + hours.dropFirst(7).map { event("opened", of: $0, 8 * 3600, after: $1) })
        func openRate(_ within: String) async throws -> [String]? {
            let period = ["from": day, "to": hour.formatted(.iso8601), "within": within]
            return try await rows("overview", ["metric", "n", "value", "compared", "previous", "change"], period)
                .first { $0.first == "open_rate" }.map { Array($0.dropFirst()) }
        }
        // The period's own rate is of any age, and the comparison is not.
        #expect(try await openRate("") == ["24", "0.7083333333333334", "1", "1", "0"])
        #expect(try await openRate("auto") == ["13", "1", "1", "1", "0"])
        #expect(try await openRate("8h") == ["17", "1", "1", "1", "0"])
        // A response after the age of the comparison is in the period's own count only.
        let period = ["from": day, "to": hour.formatted(.iso8601), "within": "4h"]
        #expect(
            try await rows("overview", ["metric", "value", "compared", "previous", "within_seconds"], period)
                .first { $0.first == "responded" } == ["responded", "0", "0", "0", "14400"])
    }

    @Test func `a period that is old enough is compared with all its deliveries`() async throws {
        let open = ["notification_id": "n1", "device_id": "n1"]
        try await store([
            event("sent", at: "2026-11-10T23:00:00Z", open), event("opened", at: "2026-11-13T23:00:01Z", open),
            event("sent", of: "n2", 0, after: "2026-11-10T10:00:00Z"),
            event("sent", of: "n3", 0, after: "2026-11-11T23:00:00Z"),
            event("opened", of: "n3", 72 * 3600, after: "2026-11-11T23:00:00Z"),
        ])
        let columns = ["metric", "value", "compared", "previous", "change", "within_seconds"]
        let period = ["from": "2026-11-11", "to": "2026-11-12"]
        let overview = try await rows("overview", columns, period)
        #expect(overview.first { $0[0] == "sent" } == ["sent", "1", "1", "2", "-1", "259200"])
        #expect(overview.first { $0[0] == "open_rate" } == ["open_rate", "1", "1", "0", "1", "259200"])
    }

    @Test func `an experiment with within has the values of that time`() async throws {
        func converted(_ notification: String, _ hours: Int, _ value: Double) -> Fields {
            event(
                "converted", at: at("2026-11-20T10:00:00Z", hours * 3600),
                [
                    "notification_id": notification, "device_id": notification, "campaign_id": "c", "value": value,
                    "currency": "EUR",
                ])
        }
        let sent = [("n1", "a"), ("n2", "a"), ("n3", "b"), ("n4", "b")].map { notification, variant in
            event(
                "sent", at: "2026-11-20T10:00:00Z",
                ["notification_id": notification, "device_id": notification, "campaign_id": "c", "variant": variant])
        }
        try await store(
            sent + [converted("n1", 1, 10.1), converted("n1", 5, 20), converted("n3", 5, 3), converted("n4", 2, 0.3)])
        let columns = ["variant", "converted_with_value", "total_value", "value_per_delivery", "value_difference"]
        let currency = ["currency": "eur"]
        #expect(
            try await rows("experiment", columns, currency) == [
                ["a", "1", "30.1", "15.05", ""], ["b", "2", "3.3", "1.65", "-13.4"],
            ])
        #expect(
            try await rows("experiment", columns, currency.merging(["within": "2h"]) { $1 }) == [
                ["a", "1", "10.1", "5.05", ""], ["b", "1", "0.3", "0.15", "-4.9"],
            ])
    }

    @Test func `within reads the events of deliveries with several responses, and leaves out those that lack some`()
        async throws
    {
        func responses(_ notification: String) -> [Fields] {
            [("delivered", 0), ("opened", 60), ("dismissed", 7200)].map {
                event($0, of: notification, $1, after: "2026-11-20T10:00:00Z")
            }
        }
        try await store(
            responses("n1") + responses("n2") + [
                event("delivered", of: "n3", 0, after: "2026-11-20T10:00:00Z"),
                event("opened", of: "n3", 7200, after: "2026-11-20T10:00:00Z"),
            ])
        try await app.superuserValue("delete from afterpush.events where notification_id = 'n2' and kind = 'opened'")
        let columns = ["base_n", "opened", "dismissed"]
        #expect(try await rows("conversion", columns) == [["3", "3", "2"]])
        #expect(try await rows("conversion", columns, ["within": "1h"]) == [["2", "1", "0"]])
        #expect(try await rows("conversion", columns, ["within": "2h"]) == [["2", "2", "1"]])
    }

    @Test func `an opening of the app within a minute after a dismissal is not direct`() async throws {
        try await store([
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n1"]),
            event("dismissed", at: "2026-11-20T10:31:00Z", ["notification_id": "n1"]),
            event("app_opened", at: "2026-11-20T10:31:10Z"),
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n2", "device_id": "other"]),
            event("opened", at: "2026-11-20T10:31:00Z", ["notification_id": "n2", "device_id": "other"]),
            event("app_opened", at: "2026-11-20T10:31:10Z", ["device_id": "other"]),
        ])
        let counts = try await rows("influence", ["app_opened", "direct", "influenced", "other"])
        #expect(counts == [["2", "1", "1", "0"]])
    }

    @Test func `an experiment says whether goals and weights were declared after the first response`() async throws {
        func put(_ campaign: String, goals: [String] = ["book"]) async throws {
            var declared = CampaignDeclaration(identifier: campaign, name: campaign)
            declared.goalActions = goals
            declared.variants = [.init(identifier: "a"), .init(identifier: "b")]
            try await app.registry.putCampaign(declared, app: app.app)
        }
        func late(_ campaign: String) async throws -> [[String]] {
            try await rows(
                "experiment", ["variant", "goals_declared_late", "weights_declared_late"], ["campaign": campaign])
        }
        let later = Date(timeIntervalSinceNow: 3_600).formatted(.iso8601)
        try await put("before")
        for (campaign, time) in [("before", later), ("after", "2026-11-20T10:00:00Z")] {
            let fields: Fields = ["campaign_id": campaign, "notification_id": campaign, "variant": "a"]
            try await store([event("sent", at: time, fields), event("opened", at: time, fields)])
        }
        try await put("after")
        #expect(try await late("before") == [["a", "f", "f"], ["b", "f", "f"]])
        #expect(try await late("after") == [["a", "t", "t"], ["b", "t", "t"]])
    }

    @Test func `openings expected by chance count on the day of the notification`() async throws {
        try await store([
            event("app_opened", at: "2026-11-19T12:00:00Z"),
            event("delivered", at: "2026-11-20T10:00:00Z", ["notification_id": "n1"]),
            event("app_opened", at: "2026-11-20T12:00:00Z"),
        ])
        let columns = ["day", "influenced", "expected", "influenced_net"]
        let days = try await rows("influence", columns, ["baseline": "true", "by": "day"])
        #expect(days == [["2026-11-19", "0", "0", "0"], ["2026-11-20", "1", "1", "0"]])
        // The push's own day alone has the same baseline.
        let day = try await rows("influence", columns.suffix(3), ["baseline": "true", "from": "2026-11-20"])
        #expect(day == [["1", "1", "0"]])
    }

    /// Notifications of a device, each an hour after the one before, and which of them it opened.
    private func notifications(of device: String, _ opened: [Bool]) -> [Fields] {
        let start = "2026-11-20T10:00:00Z"
        return opened.enumerated().flatMap { place, opened -> [Fields] in
            let fields: Fields = ["notification_id": "n\(place)", "device_id": device]
            let sent = event("sent", at: at(start, place * 3600), fields)
            return [sent] + (opened ? [event("opened", at: at(start, place * 3600 + 60), fields)] : [])
        }
    }

    @Test func `fatigue compares devices with themselves where the active get more notifications`() async throws {
        // Half of the devices get three notifications and open ever fewer of them; the others get one and open none.
        let active = (0..<10).flatMap { notifications(of: "active\($0)", [$0 < 8, $0 < 7, $0 < 6]) }
        let quiet = (0..<10).flatMap { notifications(of: "quiet\($0)", [false]) }
        let first = ["active", "quiet"].flatMap { kind in
            (0..<10).map { place in
                event(
                    "sent", at: "2026-10-20T10:00:00Z",
                    ["notification_id": "first", "device_id": "\(kind)\(place)"])
            }
        }
        try await store(first + active + quiet)
        let columns = ["recent_from", "base_n", "response_rate", "response_change", "compared_devices", "fewer_n"]
        let fatigue = try await rows("fatigue", columns)
        // The rates rise, because the active are in the later rows only.
        #expect(fatigue.map { Array($0.prefix(3)) } == [["0", "20", "0.4"], ["1", "10", "0.7"], ["2", "10", "0.6"]])
        // Each of them opened less: 0.7 after 0.8, and 0.6 after 0.8 and 0.7.
        #expect(fatigue.map { Array($0.dropFirst(4)) } == [["0", "0"], ["10", "10"], ["10", "20"]])
        #expect(fatigue.first?[3] == "")
        let changes = fatigue.compactMap { Double($0[3]) }
        #expect(zip(changes, [-0.1, -0.15]).allSatisfy { abs($0 - $1) < 1e-12 } && changes.count == 2)
    }

    @Test func `fatigue leaves out the first seven days of a device, also before the selection`() async throws {
        try await store([
            event("sent", at: "2026-10-01T10:00:00Z", ["notification_id": "n0", "device_id": "old"]),
            event("sent", at: "2026-11-20T10:00:00Z", ["notification_id": "n1", "device_id": "old"]),
            event("sent", at: "2026-11-14T10:00:00Z", ["notification_id": "n0", "device_id": "new"]),
            event("sent", at: "2026-11-20T10:00:00Z", ["notification_id": "n1", "device_id": "new"]),
            event("sent", at: "2026-11-21T10:00:00Z", ["notification_id": "n2", "device_id": "new"]),
        ])
        let columns = ["recent_from", "base_n"]
        #expect(try await rows("fatigue", columns) == [["0", "1"], ["2", "1"]])
        #expect(try await rows("fatigue", columns, ["from": "2026-11-20"]) == [["0", "1"], ["2", "1"]])
        #expect(try await rows("fatigue", columns, ["to": "2026-11-21"]) == [["0", "1"]])
    }

    @Test func `the heatmap has hours of each device's own clock`() async throws {
        // 2026-11-20 was a Friday.
        let time = "2026-11-20T23:30:00Z"
        func delivered(_ device: String, _ offset: Int?) -> Fields {
            var fields: Fields = ["notification_id": "n", "device_id": device]
            fields["utc_offset_minutes"] = offset
            return event("delivered", at: time, fields)
        }
        let fields: Fields = ["notification_id": "n", "device_id": "kolkata"]
        try await store([
            delivered("berlin", 60), delivered("lima", -300), delivered("kolkata", 330),
            event("opened", at: time, fields),
            delivered("unknown", nil), delivered("other", nil),
        ])
        // Its app states the offset, and not the confirmation. Anyone could have posted that.
        try await app.store(
            [event("app_opened", at: "2026-11-10T10:00:00Z", ["device_id": "other", "utc_offset_minutes": 60])],
            scope: .ingest)
        try await app.rollUp()
        let columns = ["weekday", "hour", "base_n", "responded"]
        #expect(try await rows("heatmap", columns) == [["5", "23", "5", "1"]])
        #expect(
            try await rows("heatmap", columns, ["local": "device"]) == [
                ["5", "18", "1", "0"], ["6", "0", "2", "0"], ["6", "4", "1", "1"], ["", "", "1", "0"],
            ])
        let shares = try await rows("heatmap", ["verified_share"], ["local": "device"])
        #expect(shares == [["1"], ["0.5"], ["1"], [""]])
    }
}
