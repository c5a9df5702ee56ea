import AfterpushWire
import Events
import Foundation
import JSON

/// Reads the log records of a request, of which the names are known.
struct LogRecordReader {
    private let records: LogRecords
    private let text: LogRecordText
    private let settings: DialectSettings
    /// The normal forms of the names that the app maps.
    private let mapped: Set<String>
    /// The resource that was decoded last, because many records share one.
    private var resource: (range: Range<Int>, resource: Resource)?

    /// The attributes of a resource, decoded once for all of its records.
    private struct Resource {
        static let none = Resource("{}")

        let json: String
        let attributes: JSONObject
        /// A text that tells the resource from others.
        let identity: String

        init(_ json: String) {
            self.json = json
            let object = (try? JSONElement(Array(json.utf8)).object) ?? .empty
            attributes = object.withoutMembers(after: ForeignBody.envelopeMembers)
            identity = EventIDKey(Array("resource".utf8)).id(of: Array(json.utf8)).uuidString
        }
    }

    init(_ records: LogRecords, body: [UInt8], _ settings: DialectSettings) {
        self.records = records
        self.settings = settings
        text = LogRecordText(body: body, encoding: records.encoding)
        mapped = settings.mappings.names(of: .otlp)
    }

    mutating func read(into submission: inout DialectSubmission) {
        submission.ignored.reserveCapacity(records.count)
        var next = 0
        for record in records.named {
            for index in next..<record.index { submission.ignore(index, "", .otherType) }
            next = record.index + 1
            read(record, into: &submission)
        }
        for index in next..<records.count { submission.ignore(index, "", .otherType) }
    }

    /// The name of the event at which an app comes to the foreground or goes to the background.
    private static let lifecycle = "device.app.lifecycle"

    private mutating func read(_ record: LogRecords.Record, into submission: inout DialectSubmission) {
        let kind = KindNames.word(of: record.name)
        let isLifecycle = record.name == Self.lifecycle
        guard kind != nil || record.statesFields || isLifecycle || isMapped(record.name) else {
            return submission.ignore(record.index, record.name, .unknownName)
        }
        guard let content = text.record(record.content),
            let resource = resource(of: record), let document = document(record, content, resource)
        else { return submission.ignore(record.index, record.name, .malformed) }
        LogEvent(
            record: document.object, resource: resource.attributes, name: record.name, index: record.index,
            settings: settings, time: [content.time, content.observedTime].first { $0 > 0 },
            identity: document.identity
        ).read(into: &submission)
    }

    private func isMapped(_ name: String) -> Bool { !mapped.isEmpty && mapped.contains(EventNames.normal(name)) }

    /// Returns a record as an object, with its resource if a mapping of the app may ask for it, and what tells it from
    /// others.
    private func document(
        _ record: LogRecords.Record, _ content: LogRecordText.Record, _ resource: Resource
    ) -> (object: JSONObject, identity: String)? {
        let members = [
            ("name", JSONText.string(record.name)), ("attributes", content.attributes), ("body", content.body),
        ]
        let whole = isMapped(record.name) ? members + [("resource", resource.json)] : members
        guard let object = try? JSONElement(Array(JSONText.object(whole).utf8)).object else { return nil }
        // The time of observation may change on the way, so it is part of the identity only if there is no other.
        let context = [
            ("time", String(content.time > 0 ? content.time : content.observedTime)),
            ("trace", JSONText.string(content.traceID)), ("span", JSONText.string(content.spanID)),
            ("resource", JSONText.string(resource.identity)),
        ]
        let digest = EventIDKey(Array("log record".utf8)).id(of: Array(JSONText.object(members + context).utf8))
        return (object, digest.uuidString)
    }

    private mutating func resource(of record: LogRecords.Record) -> Resource? {
        guard let range = record.resource else { return Resource.none }
        if let resource, resource.range == range { return resource.resource }
        guard let json = text.resource(range) else { return nil }
        let decoded = Resource(json)
        resource = (range, decoded)
        return decoded
    }
}

/// One log record as an event.
struct LogEvent {
    /// The members `name`, `attributes` and `body`, and for the app's mappings also `resource`.
    let record: JSONObject
    /// The attributes of the record's resource.
    let resource: JSONObject
    let name: String
    let index: Int
    let settings: DialectSettings
    /// Nanoseconds since 1970, or `nil` if unknown.
    let time: UInt64?
    /// A text that tells the record from others, if it has no ID.
    let identity: String

    func read(into submission: inout DialectSubmission) {
        let attributes = record["attributes"]?.object ?? .empty
        let body = record["body"]?.object ?? .empty
        let rule = settings.mappings.rule(.otlp, name, record)
        let exact = attributes["afterpush"]?.object
        let kind = kind(attributes, body)
        guard rule != nil || kind != nil || exact?["kind"] != nil || exact?["action_identifier"] != nil else {
            return submission.ignore(index, name, name == "device.app.lifecycle" ? .otherType : .unknownName)
        }
        let id = attributes.text("afterpush.event_id", "event.id", "log.record.uid")
        var native = NativeEvent(
            kind: kind ?? "", index: index, source: name, sourceID: id.map { "id:\($0.lowercased())" } ?? identity)
        let device = device(attributes, body, resource)
        native.derivedDevice = device
        native.set(.occurredAt, occurredAt)
        native.describe(.platform, platform(attributes, resource))
        native.describe(.osVersion, attributes.text("os.version") ?? resource.text("os.version"))
        native.describe(.appVersion, attributes.text("service.version") ?? resource.text("service.version"))
        native.take(body)
        native.take(attributes, Self.attributes)
        if let kind { native.set(.kind, kind) }
        native.keep(properties: attributes["afterpush.properties"]?.object ?? body["properties"]?.object)
        if kind != nil { native.settleAction() }
        rule?.apply(to: &native)
        if let exact { native.override(with: exact) }
        native.nameDelivery(
            receipt: attributes["afterpush"]?.string ?? attributes["afterpush.receipt"]?.string
                ?? body["receipt"]?.string ?? body["afterpush"]?.string,
            notification: attributes.text("afterpush.notification_id", "push.notification.id")
                ?? body.text("notification_id"),
            device: device)
        submission.add(native)
    }

    /// The fields by the attributes that state them.
    private static let attributes = NativeEvent.Field.names { "afterpush.\($0.name)" }

    /// The kind that the record states: by a native field, or by its name.
    private func kind(_ attributes: JSONObject, _ body: JSONObject) -> String? {
        if let kind = attributes["afterpush.kind"]?.text.flatMap({ KindNames.kind($0) }) { return kind }
        if name == "device.app.lifecycle" {
            let state = attributes.text("ios.app.state", "android.app.state", "ios.state", "android.state")
            return state?.lowercased() == "foreground" ? "app_opened" : nil
        }
        guard let word = KindNames.word(of: name) else { return nil }
        return body["kind"]?.text.flatMap { KindNames.kind($0) } ?? KindNames.kind(word)
    }

    private var occurredAt: String {
        // More nanoseconds than the years up to 9999 have fit into no 64 bits.
        time.map { Timestamp(microseconds: Int64($0 / 1_000)).description } ?? settings.receivedAt.description
    }

    private func platform(_ attributes: JSONObject, _ resource: JSONObject) -> String? {
        if resource["telemetry.sdk.language"]?.text == "webjs" { return "web" }
        return ForeignPlatform.word(attributes.text("os.name") ?? resource.text("os.name"))
    }

    private func device(_ attributes: JSONObject, _ body: JSONObject, _ resource: JSONObject) -> String? {
        if let name = DeviceName.stored(attributes.text("afterpush.device_id")) { return name }
        func stated(_ names: StaticString...) -> String? {
            names.lazy.compactMap { attributes.text($0) ?? resource.text($0) }.first
        }
        return settings.device(
            id: body.text("device_id") ?? stated("device.id", "app.installation.id"),
            token: body.text("push_token", "token") ?? stated("push.token"),
            anonymous: body.text("anonymous_id") ?? stated("enduser.pseudo.id"),
            user: body.text("user_id") ?? stated("user.id", "enduser.id"))
    }
}
