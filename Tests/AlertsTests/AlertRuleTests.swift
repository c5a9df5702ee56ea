import AfterpushWire
import Declarations
import Foundation
import Reports
import Testing

@testable import Alerts

/// What tests ask of values that only the target itself compares.
enum AlertRuleFixture {
    static func finding(_ value: AlertValue, below: Double? = nil, above: Double? = nil) -> AlertFinding {
        value.interval.map(AlertRange(lower: below, upper: above).finding) ?? .unclear
    }

    static func range(of band: AlertBand, _ values: [AlertValue]) -> AlertRange? { band.range(of: values) }
}

@Suite struct AlertRuleTests {
    private let catalogue = ReportService.catalogue()

    private func rule(_ json: String) throws -> AlertRule {
        let rule = try AlertRule(Array(json.utf8), name: "test")
        try rule.check(catalogue)
        return rule
    }

    @Test func `a rule reads what it writes`() throws {
        for json in [
            #"{"report":"conversion","parameters":{"by":"category","min_n":100},"where":{"category_id":"a"},"column":"open_rate","below":0.1,"above":0.5,"window":"24h","hold":"15m","every":"1m","delay":"72h"}"#,
            #"{"report":"conversion","column":"sent","band":{"weeks":4,"tolerance":0.2,"side":"below"},"window":"1h"}"#,
            #"{"report":"conversion","parameters":{"by":"campaign,category"},"series":["campaign_id","category_id"],"column":"conversion_rate","band":{"by":"category"}}"#,
            #"{"report":"health","column":"flag","is":["low"],"deliver":[{"webhook":"https://example.com/a"},{"email":"a@example.com"}]}"#,
        ] {
            let rule = try rule(json)
            var copy = try AlertRule(Array(rule.definition.utf8), name: "test")
            copy.destinations = rule.destinations
            #expect(copy == rule)
        }
    }

    @Test(arguments: [
        (#"{"report":"conversion","column":"open_rate","below":0.1,"above":0.5}"#, "10 % to 50 %"),
        (#"{"report":"conversion","column":"sent","below":1}"#, "at least 1 delivery"),
        (#"{"report":"conversion","column":"sent","below":1,"above":7}"#, "1 to 7 deliveries"),
        (#"{"report":"response-time","column":"p50_seconds","above":1500}"#, "at most 1500 s"),
        (
            #"{"report":"health","column":"value","above":300,"where":{"section":"rollups","item":"lag"}}"#,
            "at most 300 s"
        ),
        (
            #"{"report":"health","column":"value","above":0.01,"where":{"section":"intake","item":"rejected_share"}}"#,
            "at most 1 %"
        ),
        (#"{"report":"health","column":"value","above":0,"where":{"section":"spool"}}"#, "at most 0 events"),
        (#"{"report":"health","column":"value","above":5}"#, "at most 5"),
        (#"{"report":"health","column":"flag","is":["low","late"]}"#, "not low, late"),
        (
            #"{"report":"conversion","column":"sent","band":{"weeks":4,"tolerance":0.2,"side":"both"},"window":"1h"}"#,
            "within 20 % of the 4 weeks before"
        ),
        (
            #"{"report":"conversion","parameters":{"by":"campaign,category"},"series":["campaign_id","category_id"],"column":"conversion_rate","band":{"by":"category","tolerance":0.5,"side":"below"}}"#,
            "at most 50 % below its category"
        ),
    ])
    func `a rule says what it expects, with the unit`(json: String, expectation: String) throws {
        #expect(try rule(json).expectation(catalogue) == expectation)
    }

    @Test(arguments: [
        (#"{"column":"sent","above":1}"#, "report is missing"),
        (#"{"report":"nope","column":"sent","above":1}"#, "alert.report"),
        (#"{"report":"replies","column":"text","is":["a"]}"#, "alert.report"),
        (#"{"report":"conversion","column":"nope","above":1}"#, "alert.column"),
        (#"{"report":"conversion","column":"base","above":1}"#, "alert.column"),
        (#"{"report":"conversion","column":"sent","is":["a"]}"#, "alert.is"),
        (#"{"report":"conversion","column":"sent"}"#, "only one of them"),
        (#"{"report":"conversion","column":"sent","above":1,"is":["a"]}"#, "only one of them"),
        (#"{"report":"conversion","column":"sent","below":2,"above":1}"#, "alert.below"),
        (#"{"report":"conversion","column":"open_rate","below":80}"#, "alert.below must be from -1 to 1"),
        (#"{"report":"conversion","column":"sent","above":1,"window":"1y"}"#, "alert.window"),
        (#"{"report":"conversion","column":"sent","above":1,"every":"0s"}"#, "alert.every"),
        (#"{"report":"conversion","column":"sent","above":1,"parameters":{"nope":"1"}}"#, "alert.parameters"),
        (
            #"{"report":"conversion","column":"sent","above":1,"window":"1h","parameters":{"from":"2026-01-01"}}"#,
            "alert.parameters"
        ),
        (#"{"report":"conversion","column":"sent","above":1,"where":{"nope":"1"}}"#, "alert.where"),
        (#"{"report":"conversion","column":"sent","band":{"weeks":2}}"#, "alert.window"),
        (#"{"report":"conversion","column":"sent","band":{"weeks":9},"window":"1h"}"#, "alert.band.weeks"),
        (#"{"report":"conversion","column":"sent","above":1,"deliver":[{"webhook":"ftp://a"}]}"#, "deliver[0].webhook"),
        (
            #"{"report":"conversion","column":"sent","above":1,"deliver":[{"webhook":"https://u:p@a/"}]}"#,
            "deliver[0].webhook"
        ),
        (
            #"{"report":"conversion","column":"sent","above":1,"deliver":[{"email":"a@b\r\nRCPT TO:x"}]}"#,
            "deliver[0].email"
        ),
        (#"{"report":"conversion","column":"sent","above":1,"deliver":[{}]}"#, "deliver[0]"),
        ("[", "JSON"),
    ])
    func `an invalid rule names the field`(_ json: String, _ what: String) {
        let error = #expect(throws: DeclarationError.self) { try rule(json) }
        #expect(error?.description.contains(what) == true, "\(String(describing: error))")
    }

    @Test func `the built-in rules are valid, and can be turned off by name`() throws {
        #expect(BuiltInAlerts.rules.map(\.name) == BuiltInAlerts.rules.map(\.name).sorted())
        for builtIn in BuiltInAlerts.rules {
            try builtIn.check(catalogue)
            let off = try AlertRule(Array(#"{"enabled":false}"#.utf8), name: builtIn.name)
            #expect(off.isBuiltIn && !off.isEnabled && off.definition == builtIn.definition)
            var stored = try AlertRule(Array(builtIn.definition.utf8), name: builtIn.name)
            stored.isBuiltIn = true
            #expect(stored == builtIn)
        }
    }

    @Test func `a comparison with the weeks before takes whole hours of them`() throws {
        let weekly = try rule(#"{"report":"conversion","column":"sent","band":{"weeks":2},"window":"2h","delay":"1h"}"#)
        let now = try #require(Timestamp("2026-11-25T10:20:30Z"))
        let present = AlertEvaluator.period(of: weekly, at: now)
        #expect(present?.from == Timestamp("2026-11-25T07:00:00Z") && present?.to == Timestamp("2026-11-25T09:00:00Z"))
        let before = AlertEvaluator.period(of: weekly, at: now, weeksBefore: 2)
        #expect(before?.from == Timestamp("2026-11-11T07:00:00Z") && before?.to == Timestamp("2026-11-11T09:00:00Z"))
        let bound = try rule(#"{"report":"conversion","column":"sent","above":1,"window":"2h"}"#)
        #expect(AlertEvaluator.period(of: bound, at: now)?.to == Timestamp("2026-11-25T10:20:00Z"))
    }

    @Test func `a webhook's signature is that of time and body`() {
        let message = OutgoingMessage(id: UUID(), subject: "", body: #"{"a":1}"#, secret: Array("secret".utf8))
        // openssl dgst -sha256 -hmac secret
        #expect(
            message.signature(at: 1_700_000_000)
                == "t=1700000000,v1=49f24e537407743fa4a0242bb63b94b9a47ee99cbbe071ccd8a22550ae411686")
    }

    @Test func `a mail's header can't be extended by a name`() {
        let subject = "shop: a\r\nBcc: x@example.com is firing " + String(repeating: "é", count: 60)
        let message = AlertMessage(id: UUID(), subject: subject, text: ".\r\n.\r\n", json: "")
        let mail = OutgoingMessage(id: message.id, subject: message.subject, body: message.text, secret: [])
        let text = String(
            decoding: mail.mail(from: "a@b", to: "c@d", at: Date(timeIntervalSince1970: 0)), as: UTF8.self)
        #expect(!text.contains("Bcc") && !text.contains("\r\n.\r\n"))
        #expect(text.contains("Date: Thu, 01 Jan 1970 00:00:00 +0000\r\n"))
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 78 })
    }

    @Test func `Slack's markup in a name is escaped`() {
        let message = AlertMessage(id: UUID(), subject: "<!channel> & <http://x>", text: "t", json: "")
        #expect(message.body(for: .slack) == #"{"text":"*&lt;!channel&gt; &amp; &lt;http://x&gt;*\nt"}"#)
    }

    @Test func `attempts pause longer and longer, and end after three days`() {
        func end(_ result: DeliveryResult, _ attempts: Int, _ age: Duration = .zero) -> AttemptEnd {
            AttemptEnd(result, attempts: attempts, age: age, random: 1)
        }
        #expect([1, 2, 3, 20].map { end(.failed("x"), $0).pause } == [5, 10, 20, 3_600])
        #expect(end(.failed("x"), 1).outcome == nil)
        #expect(end(.failed("x"), 9, .seconds(3 * 86_400 + 1)).outcome == .gaveUp)
        #expect(end(.delivered, 1).outcome == .delivered && end(.gone, 1).outcome == .destinationDisabled)
    }
}
