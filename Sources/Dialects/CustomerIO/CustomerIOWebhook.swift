import JSON

/// Customer.io's reporting webhooks: what became of each message.
package enum CustomerIOWebhook: Dialect {
    package static let family = DialectFamily.customerio
    package static let routes = [DialectRoute("POST", "/v1/hooks/customerio")]
    package static let signingSecret: String? = "customerio"

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let body = try ForeignBody.hook(request)
        // A push goes to all devices of a person, so one event becomes several.
        var count = 0
        for event in body.events { count += try event.object?.at("data", "recipients")?.events?.count ?? 0 }
        guard count <= ForeignBody.limit else { throw .tooManyEvents(limit: ForeignBody.limit) }
        return body
    }

    package static func verify(_ request: DialectRequest, _ settings: DialectSettings) throws(DialectError) {
        guard let secret = settings.signingSecrets["customerio"], !secret.isEmpty else { return }
        try CustomerIOSignature.verify(request, secret: secret, receivedAt: settings.receivedAt)
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        body.read { CustomerIOEventReader(webhook: $1, index: $0, settings).read(into: &$2) }
    }
}

/// Reads one event of a message: from a reporting webhook, or as an app reports it to the Track API.
struct CustomerIOEventReader {
    /// A device of the person to whom the message was sent.
    private struct Recipient {
        var device: String?
        var platform: String?
        var failure: String?
    }

    private let data: JSONObject
    private let isPush: Bool
    private let metric: String
    private let time: JSONElement?
    private let foreign: ForeignEvent

    init(webhook event: JSONObject, index: Int, _ settings: DialectSettings) {
        let type = event["object_type"]?.text?.lowercased() ?? ""
        data = event["data"]?.object ?? .empty
        isPush = type == "push"
        metric = event["metric"]?.text?.lowercased() ?? ""
        time = event["timestamp"]
        foreign = ForeignEvent(
            .customerio, event, index: index, name: "\(type) \(metric)", id: event["event_id"]?.text,
            afterpush: data["afterpush"] ?? event["afterpush"], settings)
    }

    /// Reads what an app reports of a message by hand. It is one of push unless its recipient is an e-mail address.
    init(report event: JSONObject, index: Int, _ settings: DialectSettings) {
        data = event
        isPush = !(event["recipient"]?.text.map(DeviceName.isAddress) ?? false)
        metric = event.text("metric", "event")?.lowercased() ?? ""
        time = event["timestamp"]
        foreign = ForeignEvent(
            .customerio, event, index: index, name: "push \(metric)", id: nil, afterpush: event["afterpush"], settings)
    }

    func read(into submission: inout DialectSubmission) {
        let kind = isPush ? Self.kinds[metric] : nil
        guard kind != nil || foreign.isMapped else { return foreign.ignore(reason, in: &submission) }
        let recipients = recipients(of: kind)
        guard kind != "failed" || !recipients.isEmpty || foreign.isMapped else {
            // It failed before there was a device, such as when a person has none.
            return foreign.ignore(.noDevice, in: &submission)
        }
        for recipient in recipients.isEmpty ? [Recipient()] : recipients {
            add(kind ?? "", recipient, to: &submission)
        }
    }

    private static let kinds = [
        "sent": "sent", "bounced": "failed", "failed": "failed", "dropped": "failed", "undeliverable": "failed",
        "delivered": "delivered", "opened": "opened", "clicked": "opened", "converted": "converted",
    ]

    /// Why an event is ignored: messages of other channels, and steps before the sending.
    private var reason: IgnoredEvent.Reason {
        !isPush || ["drafted", "attempted", "created"].contains(metric) ? .otherType : .unknownName
    }

    private func add(_ kind: String, _ recipient: Recipient, to submission: inout DialectSubmission) {
        let delivery = data["delivery_id"]?.text
        // These happen once on a device. A tap is reported as opened and as clicked, and perhaps by the app, too.
        let isOnce = ["sent", "delivered", "opened"].contains(kind)
        var native = foreign.native(kind, id: isOnce ? delivery.map { "delivery:\($0)" } : nil)
        native.set(.occurredAt, ForeignTime.text(time))
        native.describe(
            .campaignID, data.text("campaign_id", "broadcast_id", "newsletter_id", "transactional_message_id"))
        native.describe(.platform, ForeignPlatform.word(recipient.platform))
        if kind == "opened" { native.keep("href", data["href"]) }
        let failure = recipient.failure ?? data.text("failure_message", "reason") ?? metric
        if kind == "failed" { native.describe(.reason, failure) }
        let device = foreign.settings.device(
            token: recipient.device, anonymous: data.at("identifiers", "cio_id")?.text,
            user: data["customer_id"]?.text ?? data.at("identifiers", "id")?.text)
        foreign.add(native, notification: delivery, device: device, to: &submission)
        if kind == "failed", NativeEvent.saysTokenIsGone(failure) {
            foreign.addLostToken(native, reason: failure, device: device, to: &submission)
        }
    }

    /// The devices that an event of this kind is about. A response came from one of them only.
    private func recipients(of kind: String?) -> [Recipient] {
        var recipients = ((try? data["recipients"]?.elements(limit: ForeignBody.limit)) ?? []).compactMap(\.object)
            .map {
                Recipient(
                    device: $0["device_id"]?.text, platform: $0["device_platform"]?.text,
                    failure: $0["failure_message"]?.text)
            }
        if recipients.isEmpty, let device = data.text("device_id", "recipient") {
            recipients = [Recipient(device: device, platform: data["device_platform"]?.text)]
        }
        return ["opened", "converted"].contains(kind) ? Array(recipients.prefix(1)) : recipients
    }
}
