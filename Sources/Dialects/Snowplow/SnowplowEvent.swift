import AfterpushWire
import JSON

/// Reads one event of a Snowplow tracker.
struct SnowplowEvent {
    private let event: JSONObject
    private let settings: DialectSettings
    private let index: Int
    /// The normal forms of the names that the app maps.
    private let mapped: Set<String>
    private let type: String

    init(event: JSONObject, settings: DialectSettings, mapped: Set<String>, index: Int) {
        self.event = event
        self.settings = settings
        self.mapped = mapped
        self.index = index
        type = event["e"]?.text ?? ""
    }

    func read(into submission: inout DialectSubmission) {
        let content = type == "ue" ? selfDescribing : nil
        let name = name(content)
        let isMapped = !mapped.isEmpty && mapped.contains(EventNames.normal(name))
        let entities = entities(all: isMapped || content.map(Self.isKnown) == true || type == "tr")
        let response =
            (entities + [content].compactMap(\.self)).first { $0.isOf("com.afterpush", "response") }?.data ?? .empty
        var native = NativeEvent(kind: "", index: index, source: name, sourceID: event["eid"]?.text)
        describe(&native, entities)
        interpret(content, entities, &native)
        native.take(response)
        if !native.has(.kind), native.has(.actionIdentifier) { native.set(.kind, "opened") }
        native.keep(properties: response["properties"]?.object)
        if native.has(.kind) { native.settleAction() }
        let document = isMapped ? document(content, entities) : nil
        let rule = document.flatMap { settings.mappings.rule(.snowplow, name, $0) }
        guard rule != nil || native.has(.kind) else {
            return submission.ignore(index, name, Self.otherTypes[type] == nil ? .unknownName : .otherType)
        }
        rule?.apply(to: &native)
        let payload = payload(content)
        let device = DeviceName.stored(response.text("device_id")) ?? device(content, entities)
        native.derivedDevice = device
        native.nameDelivery(
            receipt: response["receipt"]?.string ?? response["afterpush"]?.string ?? payload["afterpush"]?.string,
            notification: response.text("notification_id")
                ?? payload.text(
                    "notification_id", "msgid", "notificationId", "deliveryId", "delivery_id", "push_id",
                    "gcm.message_id", "google.message_id"),
            device: device)
        submission.add(native)
    }

    // MARK: Parts

    /// The types of events that have no content of their own, and their names.
    private static let otherTypes = ["pv": "page_view", "pp": "page_ping", "ti": "transaction_item"]

    private func name(_ content: SelfDescribingJSON?) -> String {
        switch type {
        case "ue": content.map { "\($0.vendor)/\($0.name)" } ?? ""
        case "se": event["se_ac"]?.text ?? ""
        case "tr": "transaction"
        default: Self.otherTypes[type] ?? type
        }
    }

    private var selfDescribing: SelfDescribingJSON? {
        SelfDescribingJSON(decoded("ue_px", "ue_pr").flatMap { try? JSONElement($0).object?["data"] })
    }

    /// The bytes of a part, which is a text, or base64 of one.
    private func decoded(_ base64: StaticString, _ plain: StaticString) -> [UInt8]? {
        event[base64]?.string.flatMap(Base64Text.decode) ?? event[plain]?.string.map { Array($0.utf8) }
    }

    /// Returns the entities around the event, of which only some matter to events that mean nothing by themselves.
    private func entities(all: Bool) -> [SelfDescribingJSON] {
        guard let bytes = decoded("cx", "co"),
            // Without the slash after it, which some clients escape.
            all || bytes.contains("com.afterpush") || bytes.contains("ecommerce"),
            let list = try? JSONElement(bytes).object?["data"]?.elements(limit: 1_000)
        else { return [] }
        return list.compactMap { SelfDescribingJSON($0) }
    }

    /// The event as mappings see it: its parameters, its data, and its entities by the names of their schemas.
    private func document(_ content: SelfDescribingJSON?, _ entities: [SelfDescribingJSON]) -> JSONObject? {
        let encoded = ["ue_px", "ue_pr", "cx", "co"]
        var members = event.all.filter { !encoded.contains($0.name) }.map { ($0.name, $0.value.json) }
        if let content { members.append(("data", content.content.json)) }
        members.append(("contexts", JSONText.object(entities.map { ($0.name, $0.content.json) })))
        return try? JSONElement(Array(JSONText.object(members).utf8)).object
    }

    // MARK: Meaning

    private static let ecommerce = "com.snowplowanalytics.snowplow.ecommerce"

    private static func isKnown(_ content: SelfDescribingJSON) -> Bool {
        switch (content.vendor, content.name) {
        case ("com.afterpush", "response"), ("com.snowplowanalytics.mobile", "message_notification"),
            ("com.apple", "notification_event"), ("com.mparticle.snowplow", "pushmessage_event"),
            ("com.snowplowanalytics.snowplow", "application_foreground"),
            ("com.snowplowanalytics.mobile", "application_foreground"),
            ("com.snowplowanalytics.mobile", "application_lifecycle"), (ecommerce, "snowplow_ecommerce_action"):
            true
        default: false
        }
    }

    /// Sets what the event says by its type and the schemas of its parts.
    private func interpret(
        _ content: SelfDescribingJSON?, _ entities: [SelfDescribingJSON], _ native: inout NativeEvent
    ) {
        let data = content?.data ?? .empty
        switch (content?.vendor, content?.name) {
        case ("com.snowplowanalytics.mobile", "message_notification"):
            // The schema doesn't tell a notification that was received from one that was opened.
            TapAction.set(data["action"]?.text, of: &native)
            native.describe(.categoryID, data["category"]?.text)
            native.set(.trigger, data["trigger"]?.text.flatMap(NativeEvent.trigger))
        case ("com.apple", "notification_event"):
            TapAction.set(data["action"]?.text, of: &native)
            native.describe(
                .categoryID, data["categoryIdentifier"]?.text ?? payload(content).at("aps", "category")?.text)
            native.set(.trigger, data["trigger"]?.text.flatMap(NativeEvent.trigger))
        case ("com.mparticle.snowplow", "pushmessage_event"):
            switch data["pushMessageType"]?.text?.lowercased() {
            case "sent": native.set(.kind, "sent")
            case "received": native.set(.kind, "delivered")
            default: TapAction.set(data["actionIdentifier"]?.text, of: &native)
            }
            native.describe(.categoryID, data["actionCategoryIdentifier"]?.text)
            native.describe(.campaignID, data["contentId"]?.text)
            let states = ["foreground": "active", "background": "background"]
            native.set(.appState, data["applicationStateType"]?.text.flatMap { states[$0.lowercased()] })
        case ("com.snowplowanalytics.snowplow", "application_foreground"),
            ("com.snowplowanalytics.mobile", "application_foreground"):
            native.set(.kind, "app_opened")
        case ("com.snowplowanalytics.mobile", "application_lifecycle"):
            if data["isVisible"]?.bool == true { native.set(.kind, "app_opened") }
        default: interpretPurchase(content, entities, &native)
        }
    }

    private func interpretPurchase(
        _ content: SelfDescribingJSON?, _ entities: [SelfDescribingJSON], _ native: inout NativeEvent
    ) {
        if type == "tr" {
            native.set(value: event["tr_tt"])
            native.set(currency: event["tr_cu"]?.text)
            native.keep("order_id", event["tr_id"])
        } else if let purchase = entities.first(where: { $0.isOf(Self.ecommerce, "transaction") })?.data {
            // The entity also comes with other steps, such as a refund, which the event's type tells.
            let isAction = content?.isOf(Self.ecommerce, "snowplow_ecommerce_action") == true
            guard !isAction || content?.data["type"]?.text == "transaction" else { return }
            native.set(value: purchase["revenue"])
            native.set(currency: purchase["currency"]?.text)
            native.keep("order_id", purchase["transaction_id"])
        } else {
            return
        }
        native.set(.kind, "converted")
        native.set(.name, "transaction")
    }

    /// The notification's payload, where a schema has it.
    private func payload(_ content: SelfDescribingJSON?) -> JSONObject {
        guard let content else { return .empty }
        if content.isOf("com.apple", "notification_event") {
            return content.data.at("notification", "userInfo")?.object ?? .empty
        }
        guard content.isOf("com.mparticle.snowplow", "pushmessage_event"),
            let text = content.data["jsonPayload"]?.string
        else { return .empty }
        return (try? JSONElement(Array(text.utf8)).object) ?? .empty
    }

    // MARK: Device and time

    private func describe(_ native: inout NativeEvent, _ entities: [SelfDescribingJSON]) {
        let time = ForeignTime.text(event["ttm"]) ?? ForeignTime.text(event["dtm"])
        native.set(.occurredAt, time ?? settings.receivedAt.description)
        let mobile = Self.mobile(entities)
        native.describe(
            .platform, ForeignPlatform.word(mobile["osType"]?.text) ?? (event["p"]?.text == "web" ? "web" : nil))
        native.describe(.osVersion, mobile["osVersion"]?.text)
        native.describe(
            .appVersion,
            entities.first { $0.isOf("com.snowplowanalytics.mobile", "application") }?.data["version"]?.text)
        native.describe(.locale, event["lang"]?.text ?? mobile["language"]?.text)
    }

    private static func mobile(_ entities: [SelfDescribingJSON]) -> JSONObject {
        entities.first { $0.isOf("com.snowplowanalytics.snowplow", "mobile_context") }?.data ?? .empty
    }

    private func device(_ content: SelfDescribingJSON?, _ entities: [SelfDescribingJSON]) -> String? {
        let session = entities.first { $0.isOf("com.snowplowanalytics.snowplow", "client_session") }
        let isOfMParticle = content?.isOf("com.mparticle.snowplow", "pushmessage_event") == true
        return settings.device(
            id: event["duid"]?.text
                ?? Self.mobile(entities).text("appleIdfv", "androidIdfa", "appleIdfa", "openIdfa")
                ?? session?.data["userId"]?.text,
            token: isOfMParticle ? content?.data["token"]?.text : nil, anonymous: event.text("nuid", "tnuid"),
            user: event["uid"]?.text)
    }
}
