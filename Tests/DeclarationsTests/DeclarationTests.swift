import AfterpushWire
import Declarations
import EventSamples
import Events
import Foundation
import Receipts
import Testing

/// Tests the bodies of `POST /v1/receipts` and `POST /v1/sends`, and the weights of `PUT /v1/campaigns/{id}`.
@Suite struct DeclarationTests {
    @Test(arguments: [
        ("1e308", false), ("1000001", false), ("1000000", true), ("0.000001", true), ("1e-7", false), ("0", false),
        ("-1", false),
    ])
    func `the weight of a variant is a number whose sums and quotients are numbers, too`(
        weight: String, isValid: Bool
    ) {
        let body = Array(#"{"name": "n", "variants": [{"id": "a", "weight": \#(weight)}]}"#.utf8)
        do throws(DeclarationError) {
            let campaign = try CampaignDeclaration(body, identifier: "c")
            #expect(isValid && campaign.variants.map(\.weight) == [Double(weight)])
        } catch {
            #expect(!isValid && error.description.hasPrefix("campaign.variants[0].weight must be from"), "\(error)")
        }
    }

    /// Returns why a campaign can't be read.
    private static func refusal(_ body: [UInt8]) -> String? {
        do throws(DeclarationError) {
            _ = try CampaignDeclaration(body, identifier: "c")
            return nil
        } catch {
            return error.description
        }
    }

    /// Returns why categories can't be read.
    private static func problems(_ body: [UInt8]) -> [String] {
        do throws(CategorySetError) {
            _ = try CategorySet(json: Data(body))
            return []
        } catch {
            return error.problems
        }
    }

    @Test(arguments: ["goal_actions", "variants"])
    func `a list of a campaign with too many entries is refused before they are read`(name: String) throws {
        let entries = Array(repeating: "0", count: 1_001).joined(separator: ",")
        let body = Array(#"{"\#(name)": [\#(entries)]}"#.utf8)
        expectRefused(.entry(.limitExceeded), "campaign.\(name) has more than 1000 entries") {
            _ = try CampaignDeclaration(body, identifier: "c")
        }
        let few = Array(#"{"\#(name)": [0]}"#.utf8)
        expectRefused(.entry(.invalidJSONType), "\(name)[0] is not") {
            _ = try CampaignDeclaration(few, identifier: "c")
        }
    }

    /// Decoding such a name, and comparing such a text, takes the square of its length.
    @Test(arguments: [#"{"X": 1}"#, #"{"name": "X"}"#, #"{"name": "n", "variants": [{"id": "X"}, {"id": "Xb"}]}"#])
    func `a body with many combining marks in a row is refused at once`(body: String) {
        let marks = "a" + String(repeating: "\u{345}", count: 3_000) + String(repeating: "\u{334}", count: 3_000)
        let hostile = Array(body.replacing("X", with: marks).utf8)
        let plain = Array(body.replacing("X", with: String(repeating: "é", count: 6_000)).utf8)
        let ratio = ProcessorTime.ratio {
            for _ in 0..<5 { _ = Self.refusal(hostile) }
        } to: {
            for _ in 0..<5 { _ = Self.refusal(plain) }
        }
        print("marks take \(ratio) times as long")
        #expect(ratio < 5)
        #expect(Self.refusal(hostile) == "the body has more than 128 combining marks in a row")
        #expect(Self.problems(hostile) == ["the document has more than 128 combining marks in a row"])
    }

    private static let long = String(repeating: "x", count: 257)
    private static let sendID = "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0a01"

    private func expectRefused(
        _ reason: DeclarationError.Reason, _ word: String, at location: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let error = #expect(throws: DeclarationError.self, sourceLocation: location) { try body() }
        #expect(error?.reason == reason, "\(error?.description ?? "")", sourceLocation: location)
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "")", sourceLocation: location)
    }

    private func request(_ body: String) throws -> ReceiptRequest {
        try ReceiptRequest(Array(body.utf8), app: "shop", at: Sample.receivedAt)
    }

    private func sends(_ body: String) throws -> [DeclaredSend] {
        try DeclaredSend.list(Array(body.utf8), at: Sample.receivedAt)
    }

    /// The text of a valid send with more members in front.
    private static func send(
        _ more: String = "", id: String = "\"\(sendID)\"", count: String = "10",
        at time: String = "2026-11-21T09:00:00Z"
    ) -> String {
        """
        {"sends":[{\(more.isEmpty ? "" : more + ",")"send_id":\(id),"campaign_id":"spring","count":\(count),\
        "sent_at":"\(time)"}]}
        """
    }

    @Test(arguments: [
        (#""status":"ok""#, ["sent"], nil),
        (
            #""status":"error","message":"private","details":{"error":"DeviceNotRegistered"}"#,
            ["failed", "token_failed"],
            "DeviceNotRegistered"
        ),
        (#""status":"error","details":{"error":"MessageTooBig","fault":"developer"}"#, ["failed"], "MessageTooBig"),
        (#""status":"error","details":["DeviceNotRegistered"]"#, ["failed"], "error"),
        (#""status":"error","details":{"error":"MessageTooBig"},"reason":"own word""#, ["failed"], "own word"),
        (#""status":410"#, ["failed"], "410"),
    ])
    func `tickets and receipts of Expo can be copied into provider results`(
        result: String, kinds: [String], reason: String?
    ) throws {
        let body = #"{"results":[{"provider":"expo","notification_id":"n","device_id":"d",\#(result)}]}"#
        let events = try ProviderResult.events(Array(body.utf8), EventIDKey([1]))
        let all = try [events.results, events.lostTokens].compactMap { $0 }.flatMap {
            try JSONDecoder().decode([[String: String]].self, from: Data($0))
        }
        #expect(all.map { $0["kind"] } == kinds)
        #expect(all.allSatisfy { $0["reason"] == reason && $0["provider"] == "expo" && !$0.values.contains("private") })
    }

    @Test func `receipts are requested with their claims, by default for 30 days`() throws {
        let claims = try request(
            """
            {"receipts":[{"notification_id":"n1"},{"notification_id":"n2","device_id":"d","campaign_id":"c",
            "category_id":"k","category_version":3,"variant":"","expires_in":60,"unknown":1}]}
            """
        ).claims
        #expect(claims.map(\.notificationID) == ["n1", "n2"])
        #expect(claims[0].deviceID == nil && claims[0].app == "shop" && claims[0].issuedAt == Sample.receivedAt)
        #expect(claims[0].expiresAt.microseconds - claims[0].issuedAt.microseconds == 30 * 86_400_000_000)
        #expect(claims[1].deviceID == "d" && claims[1].campaignID == "c" && claims[1].categoryID == "k")
        #expect(claims[1].categoryVersion == 3 && claims[1].variant == nil)
        #expect(claims[1].expiresAt.microseconds - claims[1].issuedAt.microseconds == 60_000_000)
        #expect(try request(#"{"receipts":[]}"#).claims.isEmpty)
    }

    @Test(arguments: [
        (#"{}"#, RejectionCode.fieldMissing, "receipts[1].notification_id"),
        (#"{"notification_id":""}"#, .fieldMissing, "receipts[1].notification_id"),
        (#"{"notification_id":7}"#, .invalidJSONType, "receipts[1].notification_id"),
        (#"7"#, .invalidJSONType, "receipts[1]"), (#"null"#, .fieldMissing, "receipts[1]"),
        (#"{"notification_id":"\#(long)"}"#, .fieldTooLong, "receipts[1].notification_id"),
        (#"{"notification_id":"n","variant":"a\u0000"}"#, .textInvalid, "receipts[1].variant"),
        (#"{"notification_id":"n","expires_in":0}"#, .fieldInvalid, "receipts[1].expires_in"),
        (#"{"notification_id":"n","expires_in":7776001}"#, .fieldInvalid, "receipts[1].expires_in"),
        (#"{"notification_id":"n","expires_in":"60"}"#, .invalidJSONType, "receipts[1].expires_in"),
        (#"{"notification_id":"n","expires_in":1e300}"#, .fieldInvalid, "receipts[1].expires_in"),
        (#"{"notification_id":"n","category_version":0}"#, .fieldInvalid, "receipts[1].category_version"),
    ])
    func `an invalid receipt request is reported with its position and field`(
        entry: String, code: RejectionCode, place: String
    ) {
        expectRefused(.entry(code), place) { _ = try request(#"{"receipts":[{"notification_id":"n"},\#(entry)]}"#) }
    }

    @Test(arguments: ["", "{", "nonsense", #"{"receipts":[}"#, "\u{0}"])
    func `a body that is not JSON is refused as a whole`(body: String) {
        expectRefused(.malformed, "JSON") { _ = try request(body) }
    }

    @Test func `a body without its list or with too long a list is refused`() throws {
        expectRefused(.entry(.fieldMissing), "receipts is missing") { _ = try request("{}") }
        expectRefused(.entry(.invalidJSONType), "receipts is not an array") { _ = try request(#"{"receipts":{}}"#) }
        expectRefused(.entry(.invalidJSONType), "the body is not an object") { _ = try request("[]") }
        func body(_ count: Int) -> String {
            let entries = Array(repeating: #"{"notification_id":"n"}"#, count: count)
            return #"{"receipts":[\#(entries.joined(separator: ","))]}"#
        }
        #expect(try request(body(1_000)).claims.count == 1_000)
        expectRefused(.tooMany, "1000 receipts") { _ = try request(body(1_001)) }
    }

    @Test func `a receipt over the length limit is not issued`() async throws {
        let escapes = String(repeating: #"\u0001"#, count: 256)
        let receiptRequest = try request(
            #"{"receipts":[{"notification_id":"n"},{"notification_id":"\#(escapes)","device_id":"\#(escapes)"}]}"#)
        let secret = try await ReceiptSecret(Array("0123456789abcdef0123456789ABCDEF".utf8))
        let error = await #expect(throws: DeclarationError.self) { try await receiptRequest.receipts(signedBy: secret) }
        #expect(error?.description.hasPrefix("receipts[1] ") == true)
    }

    @Test func `sends are read with all their fields`() throws {
        let send = try #require(
            try sends(
                Self.send(#""category_id":"k","category_version":2,"variant":"b","platform":"ios","failed":3"#)
            ).first)
        #expect(send.id.uuidString == Self.sendID.uppercased() && send.campaign == "spring")
        #expect(send.count == 10 && send.failed == 3 && send.platform == .iOS)
        #expect(send.category == "k" && send.categoryVersion == 2 && send.variant == "b")
        #expect(send.sentAt.description == "2026-11-21T09:00:00Z")
        #expect(try sends(Self.send()).first?.failed == 0)
    }

    @Test(arguments: [
        (send(id: "\"7b0f\""), RejectionCode.fieldInvalid, "sends[0].send_id"),
        (send(id: "null"), .fieldMissing, "sends[0].send_id"), (send(id: "1"), .invalidJSONType, "sends[0].send_id"),
        (send(count: "-1"), .fieldInvalid, "sends[0].count"), (send(count: "1.5"), .fieldInvalid, "sends[0].count"),
        (send(count: "1000000000001"), .fieldInvalid, "sends[0].count"),
        (send(count: "\"10\""), .invalidJSONType, "sends[0].count"),
        (send(count: "null"), .fieldMissing, "sends[0].count"),
        (send("\"failed\":-1"), .fieldInvalid, "sends[0].failed"),
        (send("\"platform\":\"amiga\""), .fieldInvalid, "sends[0].platform"),
        (send("\"category_version\":2147483648"), .fieldInvalid, "sends[0].category_version"),
        (send(at: "yesterday"), .occurredAtInvalid, "sends[0].sent_at"),
        (send(at: ""), .fieldMissing, "sends[0].sent_at"),
        (send(at: "2026-11-22T10:00:01Z"), .occurredAtOutOfRange, "sends[0].sent_at"),
        (
            #"{"sends":[{"send_id":"\#(sendID)","count":1,"sent_at":"2026-11-21T09:00:00Z"}]}"#, .fieldMissing,
            "campaign_id"
        ),
        (
            #"{"sends":[{"send_id":"\#(sendID)","campaign_id":"c","sent_at":"2026-11-21T09:00:00Z"}]}"#, .fieldMissing,
            "count"
        ),
    ])
    func `an invalid send is reported with its position and field`(body: String, code: RejectionCode, place: String) {
        expectRefused(.entry(code), place) { _ = try sends(body) }
    }
}
