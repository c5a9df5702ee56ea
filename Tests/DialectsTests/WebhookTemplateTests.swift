import Dialects
import Foundation
import Testing

/// The templates of `docs/webhooks.md`, filled in and read.
struct WebhookTemplateTests {
    private static let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/webhooks.md")

    /// The template of each sender: a block whose first line is ```` ```json template NAME ````.
    private static let templates: [String: String] = {
        var templates: [String: String] = [:]
        var name: String?
        for line in ((try? String(contentsOf: page, encoding: .utf8)) ?? "").split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("```json template ") {
                name = String(line.dropFirst("```json template ".count))
            } else if line == "```" {
                name = nil
            } else if let name {
                templates[name, default: ""] += line + "\n"
            }
        }
        return templates
    }()

    /// What each sender fills in.
    private static let samples: [String: [String: String]] = [
        "onesignal": [
            "{{ event.id }}": "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01", "{{ event.kind }}": "message.push.clicked",
            "{{ event.datetime }}": "2026-05-28T20:10:00.228Z", "{{ message.id }}": "m-1",
            "{{ event.subscription_id }}": "sub-1", "{{ message.template_id }}": "t-1",
            "{{ event.subscription_device_type }}": "Chrome", "{{ event.data.failure_reason }}": "",
        ],
        "braze": [
            "{{campaign.${dispatch_id}}}": "di-1", "{{most_recently_used_device.${id}}}": "d-1",
            "{{campaign.${api_id}}}": "c-1", "{{campaign.${message_api_id}}}": "v-1",
            "{{most_recently_used_device.${platform}}}": "ios",
        ],
        "clevertap": [
            "{{ Event.wzrk_id }}": "1653_20260528", "{{ Event.name }}": "Notification Clicked",
            "{{ Profile.CleverTapID }}": "__a1", "{{ Event.CampaignId }}": "1653",
            "{{ Event.wzrk_pivot }}": "wzrk_default",
            "{{ Event.wzrk_c2a }}": "book",
        ],
        "klaviyo": [
            "{{ event|lookup:'$event_id' }}": "ev-1", "{{ event|lookup:'$message' }}": "M1",
            "{{ person.KlaviyoID }}": "01ABC", "{{ event|lookup:'Campaign Name' }}": "Spring",
            "{{ event|lookup:'$variation' }}": "",
        ],
        "moengage": [
            "{{EventAttribute['event_time']}}": "1779999000", "{{EventAttribute['moe_campaign_id']}}": "65f0",
            "{{UserAttribute['moe_unique_id']}}": "u-1", "{{EventAttribute['campaign_name']}}": "Spring",
            "{{EventAttribute['moe_variation_id']}}": "1", "{{EventAttribute['moe_action_id']}}": "",
        ],
        "salesforce": [
            "%%=v(@messageId)=%%": "msg-1", "%%=v(@deviceId)=%%": "d-1", "%%=v(@campaign)=%%": "Spring",
            "%%=v(@platform)=%%": "Android",
        ],
    ]

    /// Fills a template in as its sender does. A branch of Liquid is decided by its value.
    private static func filled(_ name: String, _ changes: [String: String] = [:]) throws -> String {
        var text = try #require(templates[name])
        let samples = try #require(samples[name]).merging(changes) { $1 }
        let branches = try NSRegularExpression(pattern: #"\{% case (\S+) %\}(.*?)\{% endcase %\}"#)
        while let match = branches.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) {
            let whole = try #require(Range(match.range, in: text))
            let value = samples["{{ \(text[try #require(Range(match.range(at: 1), in: text))]) }}"] ?? ""
            let cases = text[try #require(Range(match.range(at: 2), in: text))].components(separatedBy: "{% when '")
            let chosen = cases.first { $0.hasPrefix("\(value)' %}") }
            text.replaceSubrange(whole, with: chosen.map { String($0.dropFirst(value.count + 4)) } ?? "")
        }
        for (placeholder, value) in samples { text = text.replacing(placeholder, with: value) }
        return text
    }

    private func post(_ name: String, _ changes: [String: String] = [:]) throws -> Posted {
        try Posted(Self.filled(name, changes), to: "/v1/hooks/native")
    }

    @Test func `every template of the page has samples, and every sample a template`() {
        #expect(Self.templates.keys.sorted() == Self.samples.keys.sorted())
    }

    @Test(arguments: samples.keys.sorted())
    func `a template has no placeholder without a sample, and no sample without a placeholder`(name: String) throws {
        let filled = try Self.filled(name)
        #expect(!filled.contains("{{") && !filled.contains("{%") && !filled.contains("%%"), "\(filled)")
        let template = try #require(Self.templates[name])
        for placeholder in try #require(Self.samples[name]).keys {
            let variable = placeholder.dropFirst(3).dropLast(3)
            #expect(template.contains(placeholder) || template.contains("{% case \(variable) %}"), "\(placeholder)")
        }
    }

    @Test(arguments: [
        ("onesignal", "kind=opened notification_id=m-1 device_id=sub-1 campaign_id=t-1 platform=web"),
        ("braze", "kind=sent notification_id=di-1 device_id=d-1 campaign_id=c-1 variant=v-1 platform=ios"),
        (
            "clevertap",
            "kind=action action_identifier=book notification_id=1653_20260528 device_id=__a1 campaign_id=1653 variant=wzrk_default"
        ),
        ("klaviyo", "kind=opened notification_id=M1 device_id=01ABC campaign_id=Spring"),
        ("moengage", "kind=opened notification_id=65f0 device_id=u-1 campaign_id=Spring variant=1"),
        ("salesforce", "kind=sent notification_id=msg-1 device_id=d-1 campaign_id=Spring platform=android"),
    ])
    func `a filled template is a valid native event`(name: String, event: String) throws {
        let posted = try post(name)
        #expect(posted.ignored.isEmpty)
        #expect(
            posted.events.map { $0.replacing("event_id=7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01 ", with: "") } == [event])
        #expect(try posted.rejections.isEmpty)
        #expect(try post(name).ids == posted.ids)
        #expect(posted.ids.count == 1)
    }

    @Test(arguments: [
        ("message.push.sent", "sent"), ("message.push.received", "delivered"), ("message.push.clicked", "opened"),
        ("message.push.failed", "failed"), ("message.push.unsubscribed", "permission_revoked"),
    ])
    func `OneSignal's template gives the same kinds as its webhook`(name: String, kind: String) throws {
        let posted = try post("onesignal", ["{{ event.kind }}": name, "{{ event.data.failure_reason }}": "Rate limit"])
        #expect(posted.submission.events.first?.text(.kind) == kind)
        #expect(try posted.rejections.isEmpty)
        let webhook = try Posted(
            #"{"event.kind": "\#(name)", "message.id": "m-1", "event.subscription_id": "sub-1"}"#,
            to: "/v1/hooks/onesignal")
        #expect(webhook.submission.events.first?.text(.kind) == kind)
    }

    @Test func `an event of another channel makes OneSignal's template one that is ignored`() throws {
        let posted = try post("onesignal", ["{{ event.kind }}": "message.email.opened"])
        #expect(posted.ignored == [": unknown_name"] && posted.answer.status == 200)
    }
}
