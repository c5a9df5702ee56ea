import Foundation
import ReferenceModel
import Testing

@Suite struct AnchorTests {
    private func hours(_ events: [ModelEvent]) throws -> [ModelValue?] {
        try rows(events) { $0.by = [.hour] }.map { $0["hour"] }
    }

    @Test func `the anchor is the earliest send, even if responses are earlier`() throws {
        let events = [
            event(.opened, at: clock(8)), event(.sent, at: clock(11, 59, 59)), event(.sent, at: clock(13)),
        ]
        #expect(try hours(events) == [.text("2026-11-10T11:00:00Z")])
    }

    @Test func `without a send the anchor is the earliest event of any kind`() throws {
        #expect(
            try hours([event(.delivered, at: clock(9)), event(.opened, at: clock(8, 1))]) == [
                .text("2026-11-10T08:00:00Z")
            ]
        )
    }

    @Test func `without a send the anchor is the earliest issue time of a receipt`() throws {
        var delivered = event(.delivered, at: clock(9))
        delivered.receipt = ModelReceipt(
            notificationID: "n1", deviceID: nil, issuedAt: clock(7, 30), expiresAt: clock(20))
        var opened = event(.opened, at: clock(6))
        opened.receipt = delivered.receipt
        opened.receipt?.issuedAt = clock(7, 10)
        #expect(try hours([delivered, opened]) == [.text("2026-11-10T07:00:00Z")])
        #expect(try hours([delivered, opened, event(.sent, at: clock(8))]) == [.text("2026-11-10T08:00:00Z")])
    }

    @Test func `an unverified event does not move the anchor of a verified one`() throws {
        var delivered = event(.delivered, at: clock(9), verified: true)
        let forged = event(.sent, at: clock(-400 * 24), verified: false)
        #expect(try hours([delivered, forged]) == [.text("2026-11-10T09:00:00Z")])
        delivered.receipt = ModelReceipt(
            notificationID: "n1", deviceID: "d1", issuedAt: clock(8), expiresAt: clock(20))
        var unbound = forged
        unbound.receipt = delivered.receipt
        unbound.receipt?.issuedAt = clock(3)
        #expect(try hours([delivered, unbound]) == [.text("2026-11-10T08:00:00Z")])
    }

    @Test func `without a verified event a send is an event like any other`() throws {
        let sent = event(.sent, at: clock(9), verified: false)
        #expect(try hours([sent, event(.opened, at: clock(8))]) == [.text("2026-11-10T08:00:00Z")])
    }

    @Test func `from is inclusive and to is exclusive, and both are compared with the anchor's hour`() throws {
        let events = [event(.opened, at: clock(10, 30))]
        func selected(_ from: Int?, _ to: Int?) throws -> Int? {
            try row(events) {
                $0.from = from
                $0.to = to
            }.counts("opened")[0]
        }
        #expect(try selected(clock(10), nil) == 1)
        #expect(try selected(clock(10) + 1, nil) == 0)
        #expect(try selected(nil, clock(10)) == 0)
        #expect(try selected(nil, clock(10) + 1) == 1)
        #expect(try selected(clock(10), clock(11)) == 1)
    }

    @Test func `an hour belongs to the local day that contains its start`() throws {
        let events = [event(.opened, at: clock(18, 45)), event(.opened, "n2", at: clock(19, 1))]
        let days = try rows(events) {
            $0.by = [.day]
            $0.timeZone = TimeZone(identifier: "Asia/Kolkata") ?? $0.timeZone
        }
        // 18:00Z is 23:30 in Kolkata, so an event at 00:15 there counts for the day before.
        #expect(days.map { $0["day"] } == [.text("2026-11-10"), .text("2026-11-11")])
    }

    @Test func `days follow daylight saving time`() throws {
        // Daylight saving time ended in New York on 2026-11-01: 04:30Z is 00:30 EDT that day and 23:30 EST a day later.
        let day = 24
        let events = [event(.opened, at: clock(4 - 9 * day)), event(.opened, "n2", at: clock(4 - 8 * day))]
        let days = try rows(events) {
            $0.by = [.day]
            $0.timeZone = TimeZone(identifier: "America/New_York") ?? $0.timeZone
        }
        #expect(days.map { $0["day"] } == [.text("2026-11-01")])
    }
}
