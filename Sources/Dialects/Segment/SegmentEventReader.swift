import JSON

/// One event of the Segment family.
struct SegmentEventReader: PropertyEvent {
    static let family = DialectFamily.segment

    let parts: PropertyEventParts
    let batch: SegmentBatch
    private let type: String
    let meaning: EventNames.Meaning?
    private let context: SegmentContext
    /// When the event happened, as it is written.
    private let time: String?

    init(_ event: JSONObject, of batch: SegmentBatch, _ settings: DialectSettings, index: Int) {
        parts = PropertyEventParts(
            event, name: event["event"]?.text, properties: event["properties"]?.object, index: index, settings)
        self.batch = batch
        let type = event["type"]?.text ?? batch.type
        self.type = type.isShort ? type.lowercased() : ""
        meaning = EventNames.meaning(of: parts.name)
        context = SegmentContext(own: .init(event["context"]?.object), batch: batch)
        let own = event["timestamp"] ?? event["originalTimestamp"] ?? event["sentAt"]
        time = own == nil ? batch.sentAt : own?.text
    }

    func read(into submission: inout DialectSubmission) {
        // A batch without types is one of events with names.
        guard type == "track" || !name.isEmpty && !["identify", "page", "screen", "group", "alias"].contains(type)
        else {
            return submission.ignore(index, type, .otherType)
        }
        guard event.at("integrations", "Afterpush")?.bool != false,
            !batch.isDisabled
        else { return submission.ignore(index, name, .disabled) }
        map(into: &submission)
    }

    var sourceID: String? { event["messageId"]?.text }
    var occurredAt: String? { time.flatMap(ForeignTime.text) }

    var campaign: String? {
        properties.text("campaign_id") ?? properties.at("campaign", "id")?.text ?? context.campaign["id"]?.text
            ?? commonCampaign ?? context.campaign["name"]?.text
    }

    /// Iterable's "Push Delivered" says that the push service accepted the notification.
    func kind(_ kind: String) -> String { kind == "delivered" && isOfIterable ? "sent" : kind }

    private var isOfIterable: Bool {
        [context.integration["name"], context.library["name"], properties["source"]].contains {
            $0?.text.map { Array($0.lowercased().utf8).contains("iterable") } == true
        }
    }

    func describe(_ native: inout NativeEvent) {
        native.set(.utcOffsetMinutes, number: time.flatMap(ForeignTime.offsetMinutes))
        native.describe(.platform, platform)
        native.describe(.appVersion, context.app["version"]?.text)
        native.describe(.osVersion, context.os["version"]?.text)
        native.describe(.locale, context.locale)
    }

    func device(_ source: DeviceSource) -> String? {
        switch source {
        case .deviceID: properties.text("device_id") ?? context.device["id"]?.text
        case .token: properties.text("subscription_id", "recipient") ?? context.device["token"]?.text
        case .anonymousID: event.text("anonymousId")
        case .userID: event.text("userId")
        }
    }

    private var platform: String? {
        ForeignPlatform.word(context.device["type"]?.text) ?? ForeignPlatform.word(context.os["name"]?.text)
            ?? ForeignPlatform.word(context.library["name"]?.text)
    }
}
