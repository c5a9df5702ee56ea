import Foundation
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Tests reports that read some of the devices if the deliveries are very many.
struct SampledDevicesTests {
    /// A database with events of some devices, and a collector.
    private struct Fleet {
        let app: TestApp
        let collector: CollectorProcess
        let client: TestClient

        init(devices: [Int]) async throws {
            app = try await TestApp()
            collector = try await CollectorProcess(conninfo: app.conninfo)
            client = TestClient(url: collector.url)
            let events = devices.flatMap(SampledDevicesTests.events)
            for start in stride(from: 0, to: events.count, by: 4_000) {
                let part = Array(events[start..<min(start + 4_000, events.count)])
                let body = try JSONSerialization.data(withJSONObject: ["events": part])
                let response = try await client.post("/v1/events", body, key: app.sendKey)
                try #require(response.status == 200, "\(response.text)")
            }
            try await app.waitForRollups()
            // What autovacuum does within a minute or so: without statistics, plans for so many events are bad ones.
            try await app.superuserValue("analyze")
        }

        /// Makes reports read one device in so many, however few the deliveries are.
        func read(oneIn: Int) async throws {
            try await app.superuserValue(
                """
                create or replace function afterpush.sample_of_devices(deliveries bigint, most bigint) returns integer
                language sql immutable strict parallel safe
                return \(oneIn)
                """)
        }

        func rows(_ report: String, _ query: [(String, String)]) async throws -> [[String: ModelValue]] {
            let response = try await client.get(TestClient.path("/v1/reports/\(report)", query), key: app.readKey)
            try #require(response.status == 200, "\(response.text)")
            return try ServedReport(json: response.body).rows
        }
    }

    /// What a device did: a notification every other day for three weeks, some answers, and openings of the app.
    private static func events(of device: Int) -> [[String: any Sendable]] {
        (0..<10).flatMap { number -> [[String: any Sendable]] in
            func event(_ kind: String, _ minute: Int, isOfDelivery: Bool = true) -> [String: any Sendable] {
                var fields: [String: any Sendable] = [
                    "kind": kind, "device_id": "d\(device)", "platform": "ios",
                    "occurred_at": "2026-11-\(number < 4 ? "0" : "")\(2 * number + 2)T10:\(10 + minute):00Z",
                ]
                if isOfDelivery {
                    fields["notification_id"] = "n\(number)"
                    fields["campaign_id"] = "c\(number % 2)"
                    return EventJSON.event(fields)
                }
                return EventJSON.event(fields).filter { $0.key != "notification_id" }
            }
            var all = [event("sent", 0), event("delivered", 1)]
            if (device + number).isMultiple(of: 3) { all.append(event("opened", 20)) }
            if (device + number).isMultiple(of: 4) { all.append(event("app_opened", 20, isOfDelivery: false)) }
            if (device + number).isMultiple(of: 5) { all.append(event("app_opened", 40, isOfDelivery: false)) }
            return all
        }
    }

    @Test(arguments: [8, 128])
    func `fatigue and influence of very many deliveries are those of some devices, or of all with exact`(
        oneIn: Int
    ) async throws {
        let all = try await Fleet(devices: Array(0..<600))
        let names = try await all.app.superuserValue(
            """
            select string_agg(n::text, ',')
            from generate_series(0, 599) as n
            where (hashtextextended(('d' || n) collate "C", 0) & 1048575) < 1048576 / \(oneIn)
            """)
        let chosen = try #require(names).split(separator: ",").compactMap { Int($0) }
        try #require(!chosen.isEmpty)
        let some = try await Fleet(devices: chosen)
        let counts = ["app_opened", "direct", "influenced", "other"]
        for (report, query) in [
            ("fatigue", [("min_n", "1")]), ("fatigue", [("min_n", "1"), ("from", "2026-11-12")]),
            ("influence", []), ("influence", [("by", "campaign,day")]),
        ] {
            let exact = try await all.rows(report, query)
            #expect(exact.allSatisfy { $0["device_share"] == nil })
            try await all.read(oneIn: oneIn)
            #expect(try await all.rows(report, query + [("exact", "true")]) == exact)
            let sampled = try await all.rows(report, query)
            try await all.read(oneIn: 1)
            let expected = try await some.rows(report, query)
            #expect(!sampled.isEmpty)
            #expect(sampled.count == expected.count)
            for (row, expected) in zip(sampled, expected) {
                #expect(row["device_share"] == .double(1 / Double(oneIn)))
                for (column, value) in row where column != "device_share" {
                    if report == "influence", counts.contains(column), case .int(let count)? = expected[column] {
                        #expect(value == .int(oneIn * count), "\(report) \(column)")
                    } else {
                        #expect(value == expected[column], "\(report) \(column)")
                    }
                }
            }
        }
        await all.collector.stop()
        await some.collector.stop()
    }

    @Test func `made-up deliveries don't change which devices a report of verified ones reads`() async throws {
        let fleet = try await Fleet(devices: Array(0..<20))
        func oneIn(verified: Bool) async throws -> String? {
            try await fleet.app.superuserValue(
                "select afterpush.report_one_in('\(fleet.app.app.name)', null, null, \(verified), 200)")
        }
        #expect(try await oneIn(verified: true) == "1")
        #expect(try await oneIn(verified: false) == "1")
        let forged = (100..<200).flatMap(Self.events)
        let body = try JSONSerialization.data(withJSONObject: ["events": forged])
        let response = try await fleet.client.post("/v1/events", body, key: fleet.app.ingestKey)
        #expect(response.status == 200, "\(response.text)")
        try await fleet.app.waitForRollups()
        #expect(try await oneIn(verified: true) == "1")
        #expect(try await oneIn(verified: false) == "8")
        await fleet.collector.stop()
    }
}
