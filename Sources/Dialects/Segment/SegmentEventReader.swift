import JSON

/// One event of the Segment family.
struct SegmentEventReader: PropertyEvent {
    static let family = DialectFamily.segment

    let event: JSONObject
    let envelope: JSONObject
    let settings: DialectSettings
    let index: Int
    let properties: JSONObject
    private let type: String
    private let context: JSONObject
    /// The context of the batch, which counts where the event's own says nothing.
    private let batchContext: JSONObject

    init(event: JSONObject, envelope: JSONObject, path: String, settings: DialectSettings, index: Int) {
        self.event = event
        self.envelope = envelope
        self.settings = settings
        self.index = index
        type = (event["type"]?.text ?? Self.type(of: path)).lowercased()
        properties = event["properties"]?.object ?? .empty
        context = event["context"]?.object ?? .empty
        batchContext = envelope["context"]?.object ?? .empty
    }

    /// The type that the path of a single event states.
    private static func type(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return ["t": "track", "i": "identify", "p": "page", "s": "screen", "g": "group", "a": "alias"][name] ?? name
    }

    func read(into submission: inout DialectSubmission) {
        // A batch without types is one of events with names.
        guard type == "track" || !name.isEmpty && !["identify", "page", "screen", "group", "alias"].contains(type)
        else {
            return submission.ignore(index, type, .otherType)
        }
        guard event.at("integrations", "Afterpush")?.bool != false,
            envelope.at("integrations", "Afterpush")?.bool != false
        else { return submission.ignore(index, name, .disabled) }
        map(into: &submission)
    }

    var name: String { event["event"]?.text ?? "" }
    var sourceID: String? { event["messageId"]?.text }
    var occurredAt: String? { ForeignTime.text(time) }

    private var time: JSONElement? {
        event["timestamp"] ?? event["originalTimestamp"] ?? event["sentAt"] ?? envelope["sentAt"]
    }

    var campaign: String? {
        properties.text("campaign_id") ?? properties.at("campaign", "id")?.text ?? at("campaign", "id")?.text
            ?? commonCampaign ?? at("campaign", "name")?.text
    }

    /// Iterable's "Push Delivered" says that the push service accepted the notification.
    func kind(_ kind: String) -> String { kind == "delivered" && isOfIterable ? "sent" : kind }

    private var isOfIterable: Bool {
        [at("integration", "name"), at("library", "name"), properties["source"]].contains {
            $0?.text?.lowercased().contains("iterable") == true
        }
    }

    func describe(_ native: inout NativeEvent) {
        native.set(.utcOffsetMinutes, number: time?.text.flatMap(ForeignTime.offsetMinutes))
        native.describe(.platform, platform)
        native.describe(.appVersion, at("app", "version")?.text)
        native.describe(.osVersion, at("os", "version")?.text)
        native.describe(.locale, at("locale")?.text)
    }

    func device(_ source: DeviceSource) -> String? {
        switch source {
        case .deviceID: properties.text("device_id") ?? at("device", "id")?.text
        case .token: properties.text("subscription_id", "recipient") ?? at("device", "token")?.text
        case .anonymousID: event.text("anonymousId")
        case .userID: event.text("userId")
        }
    }

    private var platform: String? {
        ForeignPlatform.word(at("device", "type")?.text) ?? ForeignPlatform.word(at("os", "name")?.text)
            ?? ForeignPlatform.word(at("library", "name")?.text)
    }

    /// The value at a path of the event's context, else of the batch's.
    private func at(_ path: String...) -> JSONElement? {
        context.value(at: path.joined(separator: ".")) ?? batchContext.value(at: path.joined(separator: "."))
    }
}
