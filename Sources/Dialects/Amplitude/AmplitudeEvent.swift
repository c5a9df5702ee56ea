import Foundation
import JSON

/// One event of Amplitude.
struct AmplitudeEvent: PropertyEvent {
    static let family = DialectFamily.amplitude

    let parts: PropertyEventParts

    init(_ event: JSONObject, _ index: Int, sentAt: String?, _ settings: DialectSettings) {
        parts = PropertyEventParts(
            event, name: event["event_type"]?.text, properties: event["event_properties"]?.object, index: index,
            sentAt: sentAt, settings)
    }

    /// An event of any name with a price is a purchase if it names a notification.
    var meaning: EventNames.Meaning? {
        if let meaning = EventNames.meaning(of: name) { return meaning }
        return !isOtherType && notification != nil && (price ?? revenue) != nil ? .kind("converted") : nil
    }

    /// The client's own events, on the person, the session and what was clicked.
    var isOtherType: Bool {
        name.hasPrefix("$") || name.hasPrefix("[Amplitude]") || ["session_start", "session_end"].contains(name)
    }

    var sourceID: String? { event["insert_id"]?.text }
    var occurredAt: String? { ForeignTime.text(event["time"]) ?? parts.sentAt }

    func device(_ source: DeviceSource) -> String? {
        switch source {
        case .deviceID: event.text("device_id") ?? properties.text("device_id")
        case .token, .anonymousID: nil
        case .userID: event.text("user_id")
        }
    }

    func describe(_ native: inout NativeEvent) {
        native.describe(
            .platform, ForeignPlatform.word(event.text("platform")) ?? ForeignPlatform.word(event.text("os_name")))
        native.describe(.appVersion, event.text("app_version", "version_name"))
        native.describe(.osVersion, event.text("os_version"))
        // Some clients state the name of a language, such as `English`.
        if let language = event.text("language"), language.prefix(while: { $0.isLetter }).count <= 3 {
            native.describe(.locale, language)
        }
    }

    func describeConversion(_ native: inout NativeEvent) {
        native.set(value: revenue ?? total ?? properties["total"] ?? properties["value"])
        native.set(currency: event.text("currency") ?? properties.text("currency", "$currency"))
    }

    private var revenue: JSONElement? { event["revenue"] ?? properties["revenue"] ?? properties["$revenue"] }
    private var price: JSONElement? { event["price"] ?? properties["price"] ?? properties["$price"] }

    /// The price times the quantity, exactly.
    private var total: JSONElement? {
        guard let price = price.flatMap(Self.decimal) else { return nil }
        let quantity = event["quantity"] ?? properties["quantity"] ?? properties["$quantity"]
        let product = price * (quantity.flatMap(Self.decimal) ?? 1)
        return product.isFinite ? try? JSONElement(Array("\(product)".utf8)) : nil
    }

    private static func decimal(_ value: JSONElement) -> Decimal? {
        value.number == nil ? nil : value.text.flatMap { Decimal(string: $0) }
    }
}
