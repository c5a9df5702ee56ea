import AfterpushWire
import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests categories, campaigns and provider results over HTTP.
@Suite(.serialized) struct DeclarationRouteTests {
    private struct Setting {
        let app: TestApp
        let client: TestClient
        let manageKey: String
        let collector: CollectorProcess

        init() async throws {
            app = try await TestApp()
            collector = try await CollectorProcess(conninfo: app.conninfo)
            client = TestClient(url: collector.url)
            manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        }

        func curl(_ method: String, _ path: String, _ body: String? = nil, key: String, _ more: [String] = [])
            async throws -> (status: Int, text: String, headers: String)
        {
            let arguments =
                ["-sS", "-i", "-X", method, "-H", "Authorization: Bearer \(key)"] + more
                + (body.map { ["-H", "Content-Type: application/json", "--data-binary", $0] } ?? [])
                + [collector.url + path]
            let output = try await Program.run(arguments, program: URL(filePath: "/usr/bin/curl"))
            let parts = output.output.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let status = output.output.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return (status, parts.count > 1 ? String(parts[1]) : "", String(parts[0]))
        }
    }

    private static let categories = """
        {"categories":[{"identifier":"sale","options":["customDismissAction"],"actions":[\
        {"identifier":"book","title":"Book","options":["foreground"],"goal":true},\
        {"identifier":"ask","title":"Ask","text_input":{"button_title":"Send","placeholder":"What?"}}],\
        "text_retention":"30d"}]}
        """

    @Test func `declared categories are returned in both formats, and a changed one gets the next version`()
        async throws
    {
        let set = try await Setting()
        let put = try await set.curl("PUT", "/v1/categories", Self.categories, key: set.manageKey)
        #expect(put.status == 200 && put.text.contains(#"{"identifier":"sale","version":1}"#), "\(put)")
        let again = try await set.curl("PUT", "/v1/categories", Self.categories, key: set.manageKey)
        #expect(again.text == #"{"changed":[],"unchanged":["sale"],"retired":[]}"#)

        let get = try await set.curl("GET", "/v1/categories", key: set.app.ingestKey)
        #expect(get.status == 200)
        let document = try JSONSerialization.jsonObject(with: Data(get.text.utf8)) as? [String: [[String: Any]]]
        let category = try #require(document?["categories"]?.first)
        #expect(category["identifier"] as? String == "sale" && category["version"] as? Int == 1)
        #expect(category["text_retention"] as? String == "30d")
        let declaredAt = try #require(Timestamp(category["declared_at"] as? String ?? ""))
        let created = try await set.app.value(
            "select (extract(epoch from created_at) * 1000000)::bigint from afterpush.categories")
        #expect(String(declaredAt.microseconds) == created)
        let actions = try #require(category["actions"] as? [[String: Any]])
        #expect(actions.map { $0["goal"] as? Bool } == [true, false])
        #expect((actions[1]["text_input"] as? [String: String])?["button_title"] == "Send")
        // The response can be put again and changes nothing.
        let round = try await set.curl("PUT", "/v1/categories", get.text, key: set.manageKey)
        #expect(round.text == again.text, "\(round)")

        let tag = try #require(get.headers.firstMatch(of: /[Ee][Tt]ag: (\S+)/)?.1)
        let same = try await set.curl(
            "GET", "/v1/categories", key: set.app.readKey, ["-H", "If-None-Match: \(tag)"])
        #expect(same.status == 304 && same.text.isEmpty)
        let other = try await set.curl("GET", "/v1/categories?format=notification-config", key: set.app.readKey)
        let config = try JSONSerialization.jsonObject(with: Data(other.text.utf8)) as? [String: [String: Any]]
        let map = config?["NotificationConfig"]?["UNNotificationCategory"] as? [String: [String: Any]]
        #expect(map?["sale"]?["options"] as? Int == 1, "\(other.text)")

        let changed = Self.categories.replacingOccurrences(of: #""goal":true"#, with: #""goal":false"#)
        let next = try await set.curl("PUT", "/v1/categories", changed, key: set.manageKey)
        #expect(next.text.contains(#"{"identifier":"sale","version":2}"#))
        let modified = try await set.curl(
            "GET", "/v1/categories", key: set.app.readKey, ["-H", "If-None-Match: \(tag)"])
        #expect(modified.status == 200)
        let retired = try await set.curl("PUT", "/v1/categories", #"{"categories":[]}"#, key: set.manageKey)
        #expect(retired.text == #"{"changed":[],"unchanged":[],"retired":["sale"]}"#)
        #expect(try await set.curl("GET", "/v1/categories", key: set.app.readKey).text == #"{"categories":[]}"#)
        await set.collector.stop()
    }

    @Test func `all errors of a category set are in one response, and nothing is stored`() async throws {
        let set = try await Setting()
        let wrong =
            #"{"categories":[{"identifier":"a","options":["nonsense"]},{"identifier":"a"},{"identifier":"b","actions":[{"title":"x"}]}]}"#
        let response = try await set.curl("PUT", "/v1/categories", wrong, key: set.manageKey)
        #expect(response.status == 400)
        for word in ["nonsense", "twice", "identifier"] { #expect(response.text.contains(word), "\(response.text)") }
        #expect(try await set.app.value("select count(*) from afterpush.categories") == "0")
        for key in [set.app.ingestKey, set.app.sendKey, set.app.readKey] {
            #expect(try await set.curl("PUT", "/v1/categories", Self.categories, key: key).status == 403)
        }
        await set.collector.stop()
    }

    @Test func `a declared campaign is returned and counts in reports`() async throws {
        let set = try await Setting()
        let body =
            #"{"name":"Spring","category_id":"sale","variants":[{"id":"a","weight":1,"control":true},{"id":"b","weight":2}],"goal_actions":["book"],"response_window":"24h","conversion_window":"7d","planned_deliveries":40000,"minimum_effect":0.005,"holdout":0.1}"#
        let put = try await set.curl("PUT", "/v1/campaigns/spring%20%2F1", body, key: set.manageKey)
        #expect(put.status == 200, "\(put)")
        let get = try await set.curl("GET", "/v1/campaigns/spring%20%2F1", key: set.app.readKey)
        #expect(get.text == put.text)
        let declaredAt = try #require(get.text.firstMatch(of: /"declared_at":"([^"]+)"/)?.1)
        #expect(
            get.text.replacingOccurrences(of: declaredAt, with: "T")
                == #"{"id":"spring /1","name":"Spring","category_id":"sale","variants":[{"id":"a","weight":1,"control":true,"declared_at":"T"},{"id":"b","weight":2,"control":false,"declared_at":"T"}],"goal_actions":["book"],"response_window":"24h","conversion_window":"168h","starts_at":null,"planned_deliveries":40000,"minimum_effect":0.005,"holdout":0.1,"archived":false,"declared_at":"T","goals_declared_at":"T","weights_declared_at":"T"}"#
        )
        #expect(
            try await set.curl("GET", "/v1/campaigns", key: set.app.readKey).text == "{\"campaigns\":[\(get.text)]}")
        #expect(try await set.curl("GET", "/v1/campaigns/other", key: set.app.readKey).status == 404)
        for (wrong, word) in [
            (#"{"variants":[{"id":"a","control":true},{"id":"b","control":true}]}"#, "control"),
            (#"{"variants":[{"id":"a"},{"id":"a"}]}"#, "duplicate"),
            (#"{"variants":[{"weight":1}]}"#, "variants[0].id"),
            (#"{"variants":[{"id":"a","weight":0}]}"#, "weight"), (#"{"response_window":"soon"}"#, "response_window"),
            (#"{"conversion_window":"0h"}"#, "conversion_window"),
            (#"{"planned_deliveries":0}"#, "planned_deliveries"),
            (#"{"planned_deliveries":1.5}"#, "planned_deliveries"),
            (#"{"minimum_effect":0}"#, "minimum_effect"), (#"{"minimum_effect":1}"#, "minimum_effect"),
            (#"{"holdout":0}"#, "holdout"), (#"{"holdout":1}"#, "holdout"),
            (#"{"starts_at":"x"}"#, "starts_at"), ("[", "JSON"), (#"{"name":5}"#, "name"),
        ] {
            let response = try await set.curl("PUT", "/v1/campaigns/x", wrong, key: set.manageKey)
            #expect(response.status == 400 && response.text.contains(word), "\(wrong): \(response)")
        }
        await set.collector.stop()
    }

    @Test func `goals and weights keep the time of their declaration until they change`() async throws {
        let set = try await Setting()
        func put(_ goals: String, _ weights: [Int]) async throws -> [String?] {
            let variants = weights.enumerated().map { #"{"id":"\#($0)","weight":\#($1)}"# }.joined(separator: ",")
            let body = #"{"goal_actions":[\#(goals)],"variants":[\#(variants)]}"#
            let response = try await set.curl("PUT", "/v1/campaigns/c", body, key: set.manageKey)
            let campaign = try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any]
            let variantTimes = (campaign?["variants"] as? [[String: Any]] ?? []).map { variant in
                variant["declared_at"] as? String
            }
            let names: [String] = ["goals_declared_at", "weights_declared_at", "declared_at"]
            let times: [String?] = names.map { name in campaign?[name] as? String }
            #expect(variantTimes == [String?](repeating: times[1], count: weights.count), "\(response.text)")
            return times
        }
        #expect(try await put("", []) == [nil, nil, nil])
        let goals = try await put(#""a","b""#, [])
        #expect(goals[0] != nil && goals[1] == nil && goals[2] == goals[0])
        let weights = try await put(#""b","a""#, [1, 2])
        #expect(weights[0] == goals[0] && weights[1] != nil && weights[2] == weights[1])
        #expect(try await put(#""a","b""#, [1, 2]) == weights)
        let others = try await put(#""a""#, [1, 2])
        #expect(others[0] != goals[0] && others[1] == weights[1])
        let fewer = try await put(#""a""#, [1])
        #expect(fewer[0] == others[0] && fewer[1] != weights[1])
        await set.collector.stop()
    }

    @Test func `an older app version gets the actions that it can handle as a version of their own`()
        async throws
    {
        let set = try await Setting()
        let body = """
            {"categories":[{"identifier":"sale","actions":[{"identifier":"book","title":"Book"},\
            {"identifier":"ask","title":"Ask","min_app_version":"2.10"}]},\
            {"identifier":"new","min_app_version":"3.0","actions":[]}]}
            """
        let put = try await set.curl("PUT", "/v1/categories", body, key: set.manageKey)
        #expect(put.text.contains(#"{"identifier":"sale","version":2}"#), "\(put)")
        let again = try await set.curl("PUT", "/v1/categories", body, key: set.manageKey)
        #expect(again.text == #"{"changed":[],"unchanged":["sale","new"],"retired":[]}"#)
        func offered(_ app: String?) async throws -> String {
            let query = app.map { "?app_version=\($0)" } ?? ""
            let response = try await set.curl("GET", "/v1/categories\(query)", key: set.app.ingestKey)
            let document =
                try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: [[String: Any]]]
            return (document?["categories"] ?? []).map { category in
                let actions = (category["actions"] as? [[String: Any]] ?? []).compactMap { $0["identifier"] as? String }
                let version = category["version"] as? Int ?? 0
                return "\(category["identifier"] as? String ?? "") \(version): \(actions.joined(separator: ","))"
            }.joined(separator: "; ")
        }
        #expect(try await offered("2.9") == "sale 1: book")
        #expect(try await offered("2.10.1") == "sale 2: book,ask")
        #expect(try await offered("3.0") == "new 1: ; sale 2: book,ask")
        #expect(try await offered(nil) == "new 1: ; sale 2: book,ask")
        let wrong = try await set.curl("GET", "/v1/categories?app_version=new", key: set.app.ingestKey)
        #expect(wrong.status == 400 && wrong.text.contains("app_version"), "\(wrong)")

        // The second version is effective from the beginning; deliveries that state the first were not offered `ask`.
        for (device, version, action) in [("d1", 1, "book"), ("d2", 2, "ask"), ("d3", nil, "ask")] {
            let version = version.map { ",\"category_version\":\($0)" } ?? ""
            let common =
                #""notification_id":"n","device_id":"\#(device)","platform":"ios","occurred_at":"2026-11-01T00:00:00Z""#
            for more in [#""kind":"sent","category_id":"sale"\#(version)"#, #""action_identifier":"\#(action)""#] {
                let event = "{\"event_id\":\"\(UUID().uuidString)\",\(common),\(more)}"
                #expect(try await set.curl("POST", "/v1/events", event, key: set.app.sendKey).status == 200)
            }
        }
        try await set.app.waitForRollups()
        let report = try await set.client.get("/v1/reports/actions?min_n=1&category=sale", key: set.app.readKey)
        let rows = try report.json()["rows"] as? [[String: Any]] ?? []
        let counts = rows.map { "\($0["action_id"] ?? "") \($0["offered_n"] ?? "") \($0["acted"] ?? "")" }.sorted()
        #expect(counts == ["ask 2 2", "book 3 1"], "\(report.text)")
        await set.collector.stop()
    }

    @Test func `an archived campaign is not listed, counts as before, and can be restored`() async throws {
        let set = try await Setting()
        let body = #"{"name":"Old","goal_actions":["book"],"archived":true}"#
        let put = try await set.curl("PUT", "/v1/campaigns/old", body, key: set.manageKey)
        #expect(put.status == 200 && put.text.contains(#""archived":true,"#), "\(put)")
        #expect(try await set.curl("GET", "/v1/campaigns", key: set.app.readKey).text == #"{"campaigns":[]}"#)
        #expect(try await set.curl("GET", "/v1/campaigns/old", key: set.app.readKey).text == put.text)
        #expect(
            try await set.curl("GET", "/v1/campaigns?archived=true", key: set.app.readKey).text
                == "{\"campaigns\":[\(put.text)]}")
        // The response can be put again.
        #expect(try await set.curl("PUT", "/v1/campaigns/old", put.text, key: set.manageKey).text == put.text)
        let back = try await set.curl("PUT", "/v1/campaigns/old", #"{"name":"Old"}"#, key: set.manageKey)
        #expect(back.text.contains(#""archived":false,"#))
        #expect(try await set.curl("GET", "/v1/campaigns", key: set.app.readKey).text.contains("Old"))
        await set.collector.stop()
    }

    @Test func `provider results become sent and failed events and count once, however often they are posted`()
        async throws
    {
        let set = try await Setting()
        let now = Date().formatted(.iso8601)
        func result(_ device: String, _ provider: String, _ status: String, _ reason: String? = nil) -> String {
            let reason = reason.map { #","reason":"\#($0)""# } ?? ""
            return
                #"{"notification_id":"n","device_id":"\#(device)","provider":"\#(provider)","status":\#(status)\#(reason),"occurred_at":"\#(now)","campaign_id":"spring","platform":"ios"}"#
        }
        let body =
            #"{"results":["#
            + [
                result("d1", "apns", "200"), result("d2", "apns", "410", "Unregistered"),
                result("d3", "apns", "400", "PayloadTooLarge"), result("d4", "fcm", "\"UNREGISTERED\""),
                result("d5", "webpush", "201"), result("d8", "expo", "\"ok\""),
                result("d9", "expo", "\"error\"").replacing(
                    "\"campaign_id\"", with: #""details":{"error":"DeviceNotRegistered"},"campaign_id""#),
            ].joined(separator: ",") + "]}"
        let first = try await set.curl("POST", "/v1/provider-results", body, key: set.app.sendKey)
        #expect(first.status == 200 && first.text.contains(#""accepted":7,"duplicates":0"#), "\(first)")
        let second = try await set.curl("POST", "/v1/provider-results", body, key: set.app.sendKey)
        #expect(second.text.contains(#""accepted":0,"duplicates":7"#), "\(second)")
        try await set.app.waitForRollups()
        let report = try await set.client.get("/v1/reports/conversion?by=campaign", key: set.app.readKey)
        let row = (try report.json()["rows"] as? [[String: Any]])?.first
        #expect(row?["sent"] as? Int == 3 && row?["failed"] as? Int == 4, "\(report.text)")
        let failures = try await set.client.get("/v1/reports/failures", key: set.app.readKey)
        let rows = try failures.json()["rows"] as? [[String: Any]] ?? []
        let gone = rows.filter { $0["kind"] as? String == "token_failed" }
        #expect(gone.count == 3, "\(failures.text)")
        #expect(gone.contains { $0["reason"] as? String == "DeviceNotRegistered" }, "\(failures.text)")
        let wrong = try await set.curl(
            "POST", "/v1/provider-results", #"{"results":[{"provider":"pigeon"}]}"#, key: set.app.sendKey)
        #expect(wrong.status == 400 && wrong.text.contains("results[0].provider"), "\(wrong)")
        let neighbours =
            #"{"results":[\#(result("d6", "apns", "200")),{"provider":"apns","status":410,"notification_id":"n"},"#
            + #"\#(result("d7", "apns", "410").replacing("ios", with: "x"))]}"#
        let mixed = try await set.curl("POST", "/v1/provider-results", neighbours, key: set.app.sendKey)
        let rejected = try #require(JSONSerialization.jsonObject(with: Data(mixed.text.utf8)) as? [String: Any])
        #expect(mixed.status == 200 && rejected["accepted"] as? Int == 1, "\(mixed)")
        let codes = (rejected["rejected"] as? [[String: Any]] ?? []).map { "\($0["index"] ?? "") \($0["code"] ?? "")" }
        #expect(codes == ["1 field_missing", "2 field_invalid"], "\(mixed)")
        #expect(try await set.curl("POST", "/v1/provider-results", body, key: set.app.ingestKey).status == 403)
        await set.collector.stop()
    }
}
