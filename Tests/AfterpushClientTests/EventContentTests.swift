import AfterpushWire
import Foundation
import Testing

@testable import AfterpushClient

/// Tests the content of recorded events.
struct EventContentTests {
    private let time = Timestamp(microseconds: 1_800_000_000_123_000)

    private func wire(
        _ event: DeviceEvent, details: DeviceDetails = DeviceDetails(), drops: [DropReason: Int] = [:]
    ) -> IngestEvent {
        event.ingestEvent(id: .version7(at: time), at: time, deviceID: "d1", details: details, drops: drops)
    }

    private func receipt(_ claims: String) -> String {
        let body = Data(claims.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        return "eyJhbGciOiJIUzI1NiJ9.\(body.replacingOccurrences(of: "+", with: "-")).c2ln"
    }

    @Test func `there is a function for every kind of event`() {
        let n = Sample.notification
        let events: [DeviceEvent] = [
            .sent(n), .failed(n, reason: "r"), .delivered(n), .displayed(n), .read(n), .opened(n), .action("book", n),
            .textInput("answer", text: "t", n), .dismissed(n), .converted("order", n), .replaced(n), .mediaPlayed(n),
            .mediaPaused(n), .attachmentFailed(n, reason: "r"), .extensionExpired(n), .tokenRegistered,
            .tokenFailed(reason: "r"), .permissionGranted, .permissionRevoked, .appOpened,
        ]
        // A server alone knows which devices are held out.
        #expect(events.map(\.kind) == EventKind.allCases.filter { $0 != .heldOut })
        for event in events {
            #expect((event.notification == nil) == event.kind?.isAboutDevice)
        }
        let outcome = DeviceEvent.outcome("order", value: 49.9, currency: "EUR")
        #expect(outcome.kind == .converted && outcome.notification == nil && outcome.name == "order")
    }

    @Test func `an event contains the notification, the device, and only what the app passed`() throws {
        let event = wire(.action("book", Sample.notification))
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(EventRecorder.json(event))) as? [String: Any])
        #expect(
            Set(json.keys) == [
                "event_id", "kind", "action_identifier", "notification_id", "device_id", "occurred_at", "campaign_id",
                "variant", "category_id",
            ])
        #expect(json["occurred_at"] as? String == "2027-01-15T08:00:00.123Z")
    }

    @Test func `an event contains the details that the app passes`() {
        let details = DeviceDetails(
            platform: .iOS, appVersion: "2.4", osVersion: "18.6", locale: "de-DE", utcOffsetMinutes: 60)
        let event = wire(.appOpened, details: details)
        #expect(event.platform == .iOS && event.appVersion == "2.4" && event.osVersion == "18.6")
        #expect(event.locale == "de-DE" && event.utcOffsetMinutes == 60)
        #expect(DeviceDetails.current().osVersion?.isEmpty == false)
    }

    @Test func `a receipt supplies the notification, and the device if it names one`() {
        var notification = Sample.notification
        notification.receipt = receipt(#"{"jti":"from-receipt","iss":"shop"}"#)
        #expect(wire(.opened(notification)).notificationID == "from-receipt")
        #expect(wire(.opened(notification)).deviceID == "d1")
        notification.receipt = receipt(#"{"jti":"from-receipt","sub":"d9"}"#)
        #expect(wire(.opened(notification)).deviceID == nil)
        for unreadable in ["", "x.y.z", "a.b", receipt("{}"), receipt(#"{"jti":""}"#)] {
            notification.receipt = unreadable
            #expect(wire(.opened(notification)).notificationID == "n1")
            #expect(wire(.opened(notification)).receipt == unreadable, "the collector judges it")
        }
    }

    @Test func `a text that is too long is cut between characters, and its full length is recorded`() throws {
        let text = String(repeating: "ä", count: 3_000)
        let event = wire(.textInput("answer", text: text, Sample.notification))
        #expect(event.userText?.utf8.count == 4_096)
        #expect(event.properties?["user_text_bytes"] == .number(6_000))
        let short = wire(.textInput("answer", text: "a\0b", Sample.notification))
        #expect(short.userText == "ab" && short.properties == nil)
    }

    @Test func `lost events are reported with the next event`() {
        let event = wire(.appOpened, drops: [.age: 3, .size: 2])
        #expect(event.properties?["afterpush_dropped"] == .object(["age": .number(3), "size": .number(2)]))
    }

    @Test func `a number that JSON can't represent is an error`() {
        var event = DeviceEvent.appOpened
        event.properties = ["x": .number(.nan)]
        #expect(throws: RecordError.notEncodable) { try EventRecorder.json(wire(event)) }
        let withoutValue = DeviceEvent.converted("order", value: .nan, currency: "EUR", Sample.notification)
        #expect(throws: RecordError.notEncodable) { try EventRecorder.json(wire(withoutValue)) }
    }

    @Test func `ids are UUIDs of version 7 and sort by time`() {
        let ids = (0..<100).map { UUID.version7(at: Timestamp(microseconds: Int64($0) * 1_000_000)).uuidString }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { Array($0)[14] == "7" && "89AB".contains(Array($0)[19]) })
        #expect(Set((0..<1_000).map { _ in UUID.version7(at: time) }).count == 1_000)
    }
}
