import AfterpushWire
import Foundation
import JSON

/// Reads one CloudEvent, in the form of its JSON document.
struct CloudEventReader {
    private let event: JSONObject
    private let settings: DialectSettings
    private let index: Int
    private let type: String

    init(event: JSONObject, settings: DialectSettings, index: Int) {
        self.event = event
        self.settings = settings
        self.index = index
        type = event["type"]?.text ?? ""
    }

    /// Returns what an event lacks that every event must have, or `nil`.
    static func flaw(of event: JSONObject) -> String? {
        guard event["specversion"]?.text?.hasPrefix("1.") == true else { return "specversion is not 1.0" }
        for name: StaticString in ["type", "source", "id"] where event[name]?.text == nil {
            return "the event has no \(name)"
        }
        return nil
    }

    func read(into submission: inout DialectSubmission) {
        let word = KindNames.word(of: type)
        let rule = settings.mappings.rule(.cloudevents, type, event)
        let data = data(decoding: word != nil || rule != nil) ?? .empty
        let exact = data["afterpush"]?.object
        let kind = word.flatMap { data["kind"]?.text.flatMap { KindNames.kind($0) } ?? KindNames.kind($0) }
        guard rule != nil || exact != nil || kind != nil else {
            return submission.ignore(index, type, .unknownName)
        }
        var native = NativeEvent(kind: kind ?? "", index: index, source: type, sourceID: identity)
        let device = device(data)
        native.derivedDevice = device
        let time = event["time"]
        native.set(.occurredAt, ForeignTime.text(time) ?? settings.receivedAt.description)
        native.set(.utcOffsetMinutes, number: time?.text.flatMap(ForeignTime.offsetMinutes))
        native.take(event, Self.extensions)
        native.take(data)
        native.keep(properties: data["properties"]?.object)
        if kind != nil { native.settleAction() }
        rule?.apply(to: &native)
        if let exact { native.override(with: exact) }
        native.nameDelivery(
            receipt: data["receipt"]?.string ?? data["afterpush"]?.string ?? event["receipt"]?.string
                ?? event["afterpush"]?.string,
            notification: data.text("notification_id") ?? event.text("notificationid", "subject"), device: device)
        submission.add(native)
    }

    /// The event's identity: an id is unique only among those of its source.
    private var identity: String {
        let (source, id) = (event["source"]?.text ?? "", event["id"]?.text ?? "")
        return "\(source.utf8.count):\(source)\(UUID(uuidString: id) == nil ? id : id.lowercased())"
    }

    /// The fields by the extensions that state them, whose names have letters and digits only.
    private static let extensions = NativeEvent.Field.names { $0.name.filter { $0 != "_" } }

    /// Returns the data if it is an object.
    ///
    /// - Parameter decoding: Whether an object within a text is worth finding.
    private func data(decoding: Bool) -> JSONObject? {
        if let object = event["data"]?.object { return object }
        guard decoding else { return nil }
        let bytes =
            event["data"]?.string.map { Array($0.utf8) } ?? event["data_base64"]?.string.flatMap(Base64Text.decode)
        return bytes.flatMap { try? JSONElement($0).object }
    }

    private func device(_ data: JSONObject) -> String? {
        settings.device(
            id: data.text("device_id") ?? event.text("deviceid") ?? deviceOfSource,
            token: data.text("push_token", "token") ?? event.text("pushtoken", "token"),
            anonymous: data.text("anonymous_id", "anonymousId") ?? event.text("anonymousid"),
            user: data.text("user_id", "userId") ?? event.text("userid"))
    }

    /// The device of a source such as `/devices/D1`.
    private var deviceOfSource: String? {
        let parts = event["source"]?.text?.split(separator: "/") ?? []
        guard parts.count >= 2, parts[parts.count - 2].lowercased() == "devices" else { return nil }
        return String(parts[parts.count - 1]).removingPercentEncoding.map { String(lenient: $0.utf8) }
    }
}
