import AfterpushWire
import EventSamples
import Events
import Foundation
import Testing

@testable import Declarations

/// Tests the payload check, which depends on values only.
@Suite struct PayloadCheckTests {
    private static let sale = CategoryDeclaration(
        identifier: "flash-sale", options: ["customDismissAction"],
        actions: [
            ActionDeclaration(identifier: "book", title: "Book", options: [], textInput: nil, isGoal: true),
            ActionDeclaration(identifier: "later", title: "Later", options: [], textInput: nil, isGoal: false),
        ], textRetention: nil)
    private static let survey = CategoryDeclaration(
        identifier: "survey", options: [], actions: [], textRetention: nil)

    private func check(
        _ json: String, _ order: [String: String] = [:], verifier: StubVerifier = StubVerifier(),
        _ change: (inout PayloadCheckContext) -> Void = { _ in }
    ) throws -> PayloadCheck {
        let payload = try PushPayload(Array(json.utf8))
        let names = PayloadNames(payload, try PayloadCheckRequest(order))
        var context = PayloadCheckContext(app: "shop", verifier: verifier, now: Sample.receivedAt, newID: "made-up")
        context.category = [Self.sale, Self.survey].first { $0.identifier == names.category }.map { ($0, 3) }
        if names.campaign == "spring" {
            var campaign = CampaignDeclaration(identifier: "spring", name: "Spring")
            campaign.variants = [.init(identifier: "a", isControl: true), .init(identifier: "b")]
            campaign.category = "flash-sale"
            context.campaign = campaign
        }
        change(&context)
        return PayloadCheck(payload, names, context)
    }

    private func codes(
        _ json: String, _ order: [String: String] = [:], _ change: (inout PayloadCheckContext) -> Void = { _ in }
    ) throws -> Set<PayloadFinding.Code> {
        Set(try check(json, order, change).answer(receipt: nil).findings.map(\.code))
    }

    private func payload(_ check: PayloadCheck, receipt: String? = "new") -> String {
        String(decoding: check.answer(receipt: receipt).payload.json, as: UTF8.self)
    }

    @Test func `a complete Apple payload has no warning`() throws {
        let json = #"""
            {"aps": {"alert": "Hi", "category": "flash-sale", "mutable-content": 1},
             "msgid": "note", "campaign_id": "spring", "variant": "a", "afterpush": "good"}
            """#
        let check = try check(json)
        let answer = check.answer(receipt: nil)
        #expect(answer.findings.allSatisfy { $0.severity == .info }, "\(answer.findings)")
        #expect(check.receipt == nil)
        #expect(
            Set(answer.findings.map(\.code)).isSuperset(of: [
                .providerRecognised, .receiptValid, .notificationIDPresent, .categoryKnown, .dismissObservable,
                .deliveryConfirmable, .campaignKnown, .variantKnown, .sizeFits,
            ]))
        #expect(payload(check, receipt: nil) == json.filter { !" \n".contains($0) })
    }

    @Test func `missing parts are reported, and a receipt with all known claims is added`() throws {
        let check = try check(
            #"{"aps": {"alert": "Welcome", "category": "survey"}}"#, ["campaign_id": "winter", "device_id": "d-1"])
        let codes = Set(check.findings.map(\.code))
        #expect(
            codes == [
                .providerRecognised, .receiptMissing, .notificationIDMissing, .categoryKnown, .dismissNotObservable,
                .deliveryUnconfirmed, .campaignUnknown,
            ])
        let claims = try #require(check.receipt)
        #expect(claims.notificationID == "made-up" && claims.deviceID == "d-1" && claims.campaignID == "winter")
        #expect(claims.categoryID == "survey" && claims.app == "shop" && claims.issuedAt == Sample.receivedAt)
        #expect(
            payload(check)
                == #"{"aps":{"alert":"Welcome","category":"survey"},"afterpush":"new","campaign_id":"winter"}"#)
    }

    @Test(arguments: [
        (#"{"aps": {"alert": "x"}}"#, PayloadFinding.Code.categoryMissing),
        (#"{"aps": {"alert": "x", "category": "other"}}"#, .categoryUnknown),
        (#"{"aps": {"alert": "x", "category": "other"}}"#, .dismissNotObservable),
        (#"{"aps": {"alert": "x"}}"#, .campaignMissing), (#"{"aps": {"alert": "x"}}"#, .receiptUnbound),
        (#"{"aps": {"content-available": 1}}"#, .background), (#"{"hello": 1}"#, .providerUnknown),
        (#"{"aps": {}, "msgid": 5}"#, .identifierInvalid), (#"{"aps": {}, "campaign": "spring"}"#, .variantMissing),
        (#"{"aps": {}, "campaign": "spring", "variant": "z"}"#, .variantUnknown),
        (#"{"aps": {"category": "survey"}, "campaign": "spring"}"#, .campaignCategoryDiffers),
        (#"{"aps": {}, "afterpush": "forged"}"#, .receiptInvalid), (#"{"aps": {}, "afterpush": {}}"#, .receiptInvalid),
        (#"{"aps": {}, "afterpush": "good", "msgid": "another"}"#, .receiptMismatch),
        (#"{"title": "Hi", "category_id": "flash-sale", "actions": [{"action": "ghost"}]}"#, .actionUndeclared),
    ])
    func `each weakness of a payload has a code`(json: String, code: PayloadFinding.Code) throws {
        #expect(try codes(json).contains(code))
    }

    @Test func `an invalid receipt is reported with its defect and replaced`() throws {
        let json = #"{"aps": {}, "msgid": "note", "afterpush": "good"}"#
        let late = StubVerifier { $0.expiresAt = Timestamp(microseconds: 0) }
        for (check, code) in [
            (try check(json, verifier: late), PayloadFinding.Code.receiptExpired),
            (try check(json, ["device_id": "other"]), .receiptMismatch),
            (try check(json, verifier: StubVerifier { $0.variant = "" }), .receiptInvalid),
        ] {
            #expect(check.findings.map(\.code).contains(code))
            #expect(code.severity == .error && check.receipt?.notificationID == "note")
            #expect(payload(check) == #"{"aps":{},"msgid":"note","afterpush":"new"}"#)
        }
        let unbound = try check(json, ["device_id": "d-1"], verifier: StubVerifier { $0.deviceID = nil })
        #expect(unbound.findings.map(\.code).contains(.receiptUnbound) && unbound.receipt?.deviceID == "d-1")
        let other = try check(
            #"{"aps": {}, "afterpush": "good", "campaign": "spring"}"#, verifier: StubVerifier { $0.campaignID = "x" })
        #expect(other.findings.map(\.code).contains(.receiptOverrides) && other.receipt == nil)
        #expect(try codes(#"{"aps": {}}"#) { $0.requiresReceipt = true }.contains(.receiptRequired))
        #expect(
            try codes(#"{"aps": {}, "campaign": "spring"}"#) { $0.campaign?.isArchived = true }
                .contains(.campaignArchived))
    }

    @Test func `FCM messages have keys in their data and are checked for Android and Apple`() throws {
        let both = try check(
            #"""
            {"message": {"token": "t", "data": {"msgid": "note"}, "android": {"data": {"x": "y"}},
             "apns": {"payload": {"aps": {"category": "flash-sale", "mutable-content": 1}}}}}
            """#, ["campaign_id": "spring", "variant": "b", "device_id": "d"])
        #expect(Set(both.findings.filter { $0.severity != .info }.map(\.code)) == [.receiptMissing])
        #expect(both.findings.filter { $0.code == .dismissObservable }.count == 2)
        let text = payload(both)
        #expect(text.contains(#""data":{"msgid":"note","afterpush":"new","campaign_id":"spring","variant":"b"}"#))
        #expect(text.contains(#""android":{"data":{"x":"y","afterpush":"new","campaign_id":"spring","variant":"b"}}"#))
        let shown = try check(#"{"to": "t", "notification": {"title": "Hi"}}"#)
        #expect(shown.findings.map(\.code).contains(.deliveryUnconfirmed))
        #expect(payload(shown) == #"{"to":"t","notification":{"title":"Hi"},"data":{"afterpush":"new"}}"#)
        #expect(!shown.findings.map(\.code).contains(.dismissNotObservable))
    }

    @Test func `web push always reports dismissals and has keys at the top level`() throws {
        let check = try check(
            #"{"title": "Hi", "notification_id": "n", "data": {"campaign": "spring"}, "category_id": "flash-sale"}"#,
            ["device_id": "d", "variant": "a"])
        #expect(Set(check.findings.filter { $0.severity != .info }.map(\.code)) == [.receiptMissing])
        #expect(check.receipt?.campaignID == "spring" && check.receipt?.notificationID == "n")
        #expect(payload(check).hasSuffix(#","afterpush":"new","campaign_id":"spring","variant":"a"}"#))
    }

    @Test func `the size includes the added parts`() throws {
        func json(_ length: Int) -> String { #"{"aps": {"alert": "\#(String(repeating: "x", count: length))"}}"# }
        let fits = try check(json(4_096 - 20))
        #expect(fits.answer(receipt: nil).findings.last?.code == .sizeFits)
        #expect(fits.answer(receipt: "r").findings.last?.code == .payloadTooLarge)
        #expect(fits.answer(receipt: "r").hasErrors)
        #expect(try codes(json(4_096 - 19)).contains(.payloadTooLarge))
        // Without the address of the message.
        let token = String(repeating: "t", count: 5_000)
        #expect(try codes(#"{"message": {"token": "\#(token)", "data": {}}}"#).contains(.sizeFits))
    }

    @Test func `unchanged parts are returned byte for byte`() throws {
        let json = #"{"aps":{},"n":[12345678901234567890,1.10,-0e5,null,true,"\u00e9\/😀"],"z":{"b":1,"a":{}}}"#
        let check = try check(json)
        #expect(payload(check, receipt: nil) == json)
        let names = ["campaign_id": "a \"b\" \\ \u{1}\u{E9}"]
        #expect(payload(try self.check(json, names), receipt: nil).hasSuffix(#","campaign_id":"a \"b\" \\ \u0001é"}"#))
    }

    @Test(arguments: [
        ("", DeclarationError.Reason.malformed), ("{", .malformed), ("[1]", .entry(.invalidJSONType)),
        ("5", .entry(.invalidJSONType)), (#"{"a":1,"a":2}"#, .malformed), ("{} {}", .malformed),
        (#"{"a":"\ud800"}"#, .malformed), (#"{"a":NaN}"#, .malformed),
        (String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40), .malformed),
        (#"{"a":""# + String(repeating: "x", count: 70_000) + #""}"#, .tooMany),
    ])
    func `an invalid payload is refused`(json: String, reason: DeclarationError.Reason) {
        #expect { try PushPayload(Array(json.utf8)) } throws: { ($0 as? DeclarationError)?.reason == reason }
    }

    @Test func `only known parameters within an identifier's length are accepted`() {
        for (name, value) in [("campaign", "x"), ("device_id", String(repeating: "x", count: 257))] {
            #expect(throws: DeclarationError.self) { try PayloadCheckRequest([name: value]) }
        }
    }

    @Test func `a payload takes as long to write at any depth`() throws {
        func payload(depth: Int) throws -> PayloadValue {
            let inner = Array(repeating: "[]", count: 5_000).joined(separator: ",")
            let opening = String(repeating: "[", count: depth)
            let closing = String(repeating: "]", count: depth)
            return try PayloadValue(body: Array("{\"a\":\(opening)\(inner)\(closing)}".utf8))
        }
        let (deep, flat) = (try payload(depth: 30), try payload(depth: 1))
        let ratio = ProcessorTime.ratio {
            _ = deep.json
        } to: {
            _ = flat.json
        }
        #expect(ratio < 3, "at depth 30 it takes \(ratio) times as long")
    }
}
