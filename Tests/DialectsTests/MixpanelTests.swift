import AfterpushWire
import Dialects
import Events
import Foundation
import JSON
import Testing

struct MixpanelTests {
    /// What mixpanel 5.4.1 posts in the field `data` of its form, with a key of Afterpush.
    private static let recorded = #"""
        {"event":"Push Opened","properties":{"token":"ap_ingest_x","distinct_id":"u1","time":1795415642.9083977,"$insert_id":"da5f09b03fbb4d47a9085b4fd7ecd622","mp_lib":"python","$lib_version":"5.4.1","notification_id":"n-1","campaign_id":"c-1","body":"secret body","$email":"a@example.com"}}
        """#

    private static let form = ["content-type": "application/x-www-form-urlencoded"]

    private func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            let hex = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
        }.joined()
    }

    private func event(_ name: String, _ properties: String = "") -> String {
        #"{"event":"\#(name)","properties":{"token":"ap_ingest_x","distinct_id":"u1","notification_id":"n-1"\#(properties)}}"#
    }

    @Test func `the form of the client in Python becomes an opening`() throws {
        let played = try PlayedRequest(
            "/track", "data=\(escaped(Self.recorded))&verbose=1&ip=0", headers: Self.form)
        #expect(played.family == .mixpanel)
        #expect(try played.key == "ap_ingest_x")
        #expect(
            try played.fields == [
                "kind": "opened", "notification_id": "n-1", "device_id": "u1", "campaign_id": "c-1",
                "occurred_at": Timestamp(microseconds: 1_795_415_642_908_398).description,
            ])
        #expect(try played.event.sourceID == "da5f09b03fbb4d47a9085b4fd7ecd622")
        #expect(played.submission.sentAt == nil)
    }

    @Test func `the buffered client posts an array, and its import a form with a key beside it`() throws {
        let array = "[\(event("Push Opened")), \(event("Bought")), 7]"
        let played = try PlayedRequest("/track", "data=\(escaped(array))&verbose=1&ip=0", headers: Self.form)
        #expect(played.events.count == 1 && played.ignored == [.unknownName, .malformed])
        let old = try PlayedRequest(
            "/import",
            "data=\(escaped(#"{"event":"Push Opened","properties":{"token":"TOKEN","distinct_id":"u","notification_id":"n"}}"#))&api_key=ap_send_y&verbose=1",
            headers: Self.form.merging(["authorization": "Basic c2VjcmV0Og=="]) { $1 })
        #expect(try old.key == "ap_send_y")
        #expect(try old.event.kind == "opened")
        #expect(try old.answer().object["status"]?.json == "1")
    }

    @Test(arguments: [#","$ab?~>>>":"üü""#, ""]) func `base64 is read in both alphabets, with spaces for pluses`(
        _ properties: String
    ) throws {
        let base64 = Data(event("Push Opened", properties).utf8).base64EncodedString()
        let url = base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        for data in [base64, url, escaped(base64), base64.replacing("+", with: " ")] {
            let played = try PlayedRequest(
                "/track", "data=\(data)", query: ["verbose": "1", "ip": "1", "_": "1795415690000"], headers: Self.form)
            #expect(try played.event.kind == "opened")
            #expect(played.submission.sentAt.flatMap { Timestamp($0) }?.microseconds == 1_795_415_690_000_000)
        }
    }

    @Test func `the client in Swift posts an array with milliseconds and without IDs`() throws {
        let first = event(
            "Push Opened",
            #","time":1795415642908,"$os":"iOS","$os_version":"26.1","$app_version_string":"2.0","$device_id":"D1""#)
        let played = try PlayedRequest(
            "/track", "[\(first)]", query: ["ip": "1"], headers: ["content-type": "application/json"])
        let fields = try played.fields
        #expect(fields["occurred_at"] == Timestamp(microseconds: 1_795_415_642_908_000).description)
        #expect(fields["platform"] == "ios" && fields["os_version"] == "26.1" && fields["app_version"] == "2.0")
        #expect(fields["device_id"] == "D1")
        #expect(try played.event.sourceID == nil)
        // The content takes the place of an ID.
        let again = try PlayedRequest("/track", "[\(first)]")
        let other = try PlayedRequest("/track", "[\(first.replacing("642908", with: "642909"))]")
        #expect(try played.id(played.event) == again.id(again.event))
        #expect(try played.id(played.event) != other.id(other.event))
        #expect(played.answer().text == "1")
    }

    @Test(arguments: [
        (#""$device_id":"D1","distinct_id":"u1""#, "D1"), (#""distinct_id":"$device:D2""#, "D2"),
        (#""distinct_id":"u3""#, "u3"), (#""distinct_id":17"#, "17"), (#""$user_id":"u5","distinct_id":"x""#, "u5"),
        (#""distinct_id":"$device:""#, "$device:"),
    ]) func `the device is the client's, else the one in the person's ID, else the person`(
        _ ids: String, _ device: String
    ) throws {
        let event = #"{"event":"$app_open","properties":{\#(ids)}}"#
        let played = try PlayedRequest("/track", event)
        #expect(try played.event.kind == "app_opened")
        #expect(try played.event.text(.deviceID) == device)
    }

    @Test(
        arguments: [
            (#""$os":"Android","mp_lib":"android""#, "android"), (#""$os":"Mac OS X","$browser":"Safari""#, "web"),
            (#""mp_lib":"web""#, "web"), (#""mp_lib":"iphone""#, "ios"), (#""mp_lib":"python""#, nil),
        ] as [(String, String?)]) func `the platform is the browser's or the system's`(
            _ properties: String, _ platform: String?
        ) throws
    {
        #expect(try PlayedRequest("/track", event("Push Opened", "," + properties)).event.text(.platform) == platform)
    }

    @Test(
        arguments: [
            ("$ae_session", "app_opened"), ("$app_open", "app_opened"), ("Push Notification Bounced", "failed"),
            ("push_dismissed_by_nobody", nil), ("$mp_web_page_view", nil), ("Push Received", "delivered"),
        ] as [(String, String?)]) func `names mean what they mean everywhere`(_ name: String, _ kind: String?) throws
    {
        let played = try PlayedRequest("/track", event(name))
        #expect(played.events.first?.kind == kind)
        if kind == nil { #expect(played.ignored == [name.hasPrefix("$") ? .otherType : .unknownName]) }
    }

    @Test func `native fields make an event of any name exact, and as text they are the receipt`() throws {
        let native = event("Tapped", #","afterpush":{"kind":"action","action_identifier":"book"}"#)
        #expect(try PlayedRequest("/track", native).fields["action_identifier"] == "book")
        let receipt = event("Push Opened", #","afterpush":"a.e30.c""#)
        #expect(try PlayedRequest("/track", receipt).fields["receipt"] == "a.e30.c")
    }

    @Test func `an order is a conversion with its exact value`() throws {
        let fields = try PlayedRequest("/track", event("Order Completed", #","revenue":12.50,"currency":"usd""#)).fields
        #expect(fields["kind"] == "converted" && fields["value"] == "12.50" && fields["currency"] == "USD")
    }

    // MARK: Bodies

    @Test func `an import takes lines, of which a bad one costs only itself`() throws {
        let body = "\(event("Push Opened"))\r\n\(event("Bought"))\n{\n\n"
        let played = try PlayedRequest(
            "/import", body, query: ["strict": "1"], headers: ["content-type": "application/x-ndjson"])
        #expect(played.events.count == 1 && played.ignored == [.unknownName, .malformed])
        #expect(try played.key == "ap_ingest_x")
        #expect(played.answer().text == #"{"code":200,"status":"OK","num_records_imported":3}"#)
        let rejection = DialectOutcome.Rejection(index: 0, code: "field_invalid", detail: "x")
        #expect(try played.answer(rejecting: [rejection]).object["num_records_imported"]?.json == "2")
    }

    @Test(arguments: ["", "data=", "data=%7B", "{\"event\":", "[\n{\"event\":\"e\"},\n{\"ev", "17", "data=17", "ip=1"])
    func `a body that can't be read is refused as malformed`(_ body: String) {
        let request = DialectRequest("POST", "/track", body: Array(body.utf8))
        #expect {
            try MixpanelEvents.parse(request)
        } throws: { error in
            if case DialectError.malformed = error { true } else { false }
        }
    }

    @Test(arguments: [
        String(repeating: "{}\n", count: ForeignBody.limit + 1), "{}" + String(repeating: "\n", count: 1 << 20),
    ])
    func `more lines than are read of one request are refused, empty ones included`(body: String) {
        #expect(throws: DialectError.tooManyEvents(limit: ForeignBody.limit)) {
            try MixpanelEvents.parse(DialectRequest("POST", "/import", body: Array(body.utf8)))
        }
    }

    @Test func `as many lines as can be read have any ends`() throws {
        let body = String(repeating: "{}\r\n", count: ForeignBody.limit)
        let request = DialectRequest("POST", "/import", body: Array(body.utf8))
        #expect(try MixpanelEvents.parse(request).events.count == ForeignBody.limit)
    }

    @Test func `of a form, the thousandth field is the last that is read`() throws {
        let request = { (body: String) in DialectRequest("POST", "/track", body: Array(body.utf8)) }
        let data = "data=\(escaped(event("Push Opened")))"
        let last = String(repeating: "a&", count: 999) + data
        #expect(try MixpanelEvents.parse(request(String(repeating: "&", count: 1 << 12) + last)).events.count == 1)
        #expect(throws: DialectError.self) { try MixpanelEvents.parse(request("a&" + last)) }
    }

    @Test func `a pixel holds its event in the query and gets an image`() throws {
        let data = Data(event("Push Opened").utf8).base64EncodedString()
        let played = try PlayedRequest("/track", method: "GET", query: ["data": data, "img": "1", "ip": "1"])
        #expect(try played.event.kind == "opened")
        #expect(try played.key == "ap_ingest_x")
        #expect(played.answer().contentType == "image/gif")
        #expect(try PlayedRequest("/track", method: "GET", query: ["data": data]).answer().text == "1")
        #expect(throws: DialectError.self) { try PlayedRequest("/track", method: "GET") }
    }

    @Test(arguments: ["/engage", "/groups"]) func `profiles are accepted and not stored`(_ path: String) throws {
        let profile =
            #"{"$token":"ap_ingest_x","$distinct_id":"u1","$set":{"$email":"a@example.com"},"event":"Push Opened"}"#
        let played = try PlayedRequest(path, "data=\(escaped(profile))&verbose=1", headers: Self.form)
        #expect(try played.key == "ap_ingest_x")
        #expect(played.events.isEmpty && played.ignored == [.otherType])
        #expect(try played.answer().object["status"]?.json == "1")
    }

    @Test func `events with different keys are refused`() throws {
        let two = "[\(event("a")),\(event("b").replacing("ap_ingest_x", with: "ap_ingest_y"))]"
        let played = try PlayedRequest("/track", two)
        #expect(throws: DialectError.self) { try played.key }
    }

    // MARK: Responses

    @Test(
        arguments: [
            ("", ["verbose": "1"], true), ("&verbose=1", [:], true), ("", [:], false), ("&verbose=0", [:], false),
            ("&verbose=1", ["verbose": "0"], false),
        ] as [(String, [String: String], Bool)]) func `success is JSON for who asks for it, else the text 1`(
            _ fields: String, _ query: [String: String], _ isVerbose: Bool
        ) throws
    {
        let played = try PlayedRequest(
            "/track", "data=\(escaped(event("Bought")))\(fields)", query: query, headers: Self.form)
        let answer = played.answer()
        #expect(answer.status == 200)
        if isVerbose {
            #expect(try answer.object["status"]?.json == "1")
            #expect(try answer.object.all.contains { $0.name == "error" && $0.value.type == .null })
        } else {
            #expect(answer.text == "1")
        }
    }

    @Test(arguments: [400, 401, 403, 413, 429, 503]) func `a refusal has a status other than 1 and an error`(
        _ status: Int
    ) throws {
        let answer = try PlayedRequest.refusal(status, to: DialectRequest("POST", "/track"))
        #expect(answer.status == status)
        #expect(try answer.object["status"]?.number == Double(status))
        #expect(try answer.object["error"]?.text == "no such key")
    }
}
