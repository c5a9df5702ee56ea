import AfterpushWire
import Dialects
import Events
import Foundation
import Testing

/// Tests which events state no time of their own, and what makes a repeated one the same.
struct TimelessEventTests {
    private static let first = PlayedRequest.receivedAt
    private static let later = Timestamp(microseconds: first.microseconds + 5_000_000)

    private func timeless(
        _ played: PlayedRequest, at time: Timestamp, sentAt: String? = nil, isOfServer: Bool = false
    ) throws -> TimelessEvent? {
        TimelessEvent(
            try #require(played.events.first), sentAt: sentAt ?? played.submission.sentAt, played.family,
            EventIDKey([1]), app: 1, isOfServer: isOfServer, receivedAt: time, arrival: time.description)
    }

    private func segment(
        _ members: String, sentAt: String? = nil, at time: Timestamp = first
    ) throws -> PlayedRequest {
        let event =
            #"{"type":"track","event":"Push Notification Tapped","anonymousId":"a"\#(members),"#
            + #""properties":{"notification_id":"n"}}"#
        let sent = sentAt.map { #","sentAt":"\#($0)""# } ?? ""
        return try PlayedRequest(
            "/v1/batch", #"{"batch":[\#(event)]\#(sent)}"#, settings: DialectSettings(receivedAt: time))
    }

    private func opening(at time: Timestamp) throws -> PlayedRequest {
        try PlayedRequest(
            "/v1/hooks/native", #"{"kind":"app_opened","device_id":"d"}"#, settings: DialectSettings(receivedAt: time))
    }

    @Test(arguments: ["", #","messageId":"m""#]) func `a repeated event has the same ID at any time of arrival`(
        members: String
    ) throws {
        let once = try #require(try timeless(segment(members), at: Self.first))
        let again = try #require(try timeless(segment(members, at: Self.later), at: Self.later))
        #expect(once.id == again.id && once.deliveryIDs.count == 2)
        #expect(once.time == Self.first && again.time == Self.later)
        #expect(once.isOfContent == members.isEmpty)
        let other = try #require(try timeless(segment(#","messageId":"o""#), at: Self.first))
        #expect(other.id != once.id)
    }

    @Test func `the time of sending is none of the event's own, and an event's own time stays`() throws {
        let sent = ["2026-11-23T06:34:40.000Z", "2026-11-23T06:34:59.000Z"]
        let events = try sent.map { sent in
            try #require(try timeless(segment(#","messageId":"m""#, sentAt: sent), at: Self.first))
        }
        #expect(events[0].id == events[1].id)
        #expect(events.map(\.time) == sent.map { Timestamp($0) })
        let own = try segment(#","messageId":"m","timestamp":"2026-11-23T06:30:00Z""#, sentAt: sent[0])
        #expect(try timeless(own, at: Self.first) == nil)
    }

    @Test func `an event of a notification is recognized for a week, one of the device alone for ten minutes`() throws {
        func span(_ event: TimelessEvent?) throws -> Int64 {
            Self.first.microseconds - (try #require(event)).since.microseconds
        }
        #expect(try span(timeless(segment(""), at: Self.first)) == 7 * 86_400_000_000)
        #expect(try span(timeless(segment(#","messageId":"m""#), at: Self.first)) == 7 * 86_400_000_000)
        let opening = try timeless(opening(at: Self.first), at: Self.first)
        #expect(try span(opening) == 600_000_000)
        #expect(opening?.deliveryIDs == [DeliveryIdentity.id(appID: 1, notificationID: nil, deviceID: "d")])
    }

    @Test func `the time of a proven event is kept apart from that of others`() throws {
        let plain = try segment(#","messageId":"m""#)
        let proven = try segment(#","messageId":"m","afterpush":"a.b.c""#)
        let events = try [
            timeless(plain, at: Self.first), timeless(plain, at: Self.first, isOfServer: true),
            timeless(proven, at: Self.first), timeless(proven, at: Self.first, isOfServer: true),
        ].map { try #require($0) }
        #expect(events.map(\.isProven) == [false, true, true, true])
        #expect(events[0].claimID == events[0].id && events[1].claimID == events[3].claimID)
        #expect(Set(events.map(\.claimID)).count == 3)
    }

    @Test func `an ID that the event states natively is its ID, and a receipt names its delivery`() throws {
        let id = "7b0f4f6e-3c1d-4b53-9a53-0d7c1f1f0b01"
        let stated = try PlayedRequest(
            "/v1/hooks/native", #"{"event_id":"\#(id)","kind":"app_opened","device_id":"d"}"#)
        let event = try #require(try timeless(stated, at: Self.first))
        #expect(event.id == UUID(uuidString: id) && !event.isOfContent)
        let claims = Data(#"{"jti":"n-9","sub":"d-9"}"#.utf8).base64EncodedString()
        let receipt = try PlayedRequest(
            "/v1/hooks/native", #"{"kind":"opened","receipt":"x.\#(claims).y","event_id":"e"}"#)
        let delivery = DeliveryIdentity.id(appID: 1, notificationID: "n-9", deviceID: "d-9")
        #expect(try timeless(receipt, at: Self.first)?.deliveryIDs.contains(delivery) == true)
    }
}

/// Tests the sums of what became of events.
struct DialectSumsTests {
    @Test func `an event that became two counts once as received, and each outcome by itself`() {
        var sums = DialectSums(1, .fcm, capacity: 3)
        sums.store("Bounced", from: 0)
        sums.store("Bounced", from: 0, rejectedAs: "field_missing")
        sums.store("Bounced", from: 1)
        sums.ignore("Other", from: 2, .unknownName)
        let lines = sums.counts.map { entry, counts in
            "\(entry.name) \(entry.reason) \(counts.received) \(counts.mapped) \(counts.ignored) \(counts.rejected)"
        }
        #expect(
            lines.sorted() == ["Bounced  2 2 0 0", "Bounced field_missing 0 0 0 1", "Other unknown_name 1 0 1 0"])
    }

    @Test func `names that one app makes up leave room for those of another`() {
        let counter = DialectCounter()
        func ignore(_ names: [String], of app: Int32) {
            var sums = DialectSums(app, .segment, capacity: names.count)
            for (index, name) in names.enumerated() { sums.ignore(name, from: index, .unknownName) }
            counter.add(sums.counts)
        }
        ignore((0..<5_000).map { "made up \($0)" }, of: 1)
        ignore(["Loyalty Offer"], of: 2)
        let counts = counter.takeByApp()
        #expect(counts[1].map { $0.count } == 1_001 && counts[2]?.keys.map(\.name) == ["Loyalty Offer"])
        #expect(counts[1]?.first { $0.key.name == DialectCounter.otherName }?.value.ignored == 4_000)
        #expect(counter.take().isEmpty)
    }

    @Test func `the events of a refused request count as rejected under one name`() {
        let counter = DialectCounter()
        counter.count(1, .countly, refused: 3, reason: DialectError.signatureCode)
        counter.count(1, .countly, refused: 0, reason: DialectError.signatureCode)
        let counts = counter.take()
        #expect(counts.count == 1 && counts.first?.key.name == "(request)")
        #expect(counts.first?.value.received == 3 && counts.first?.value.rejected == 3)
    }
}
