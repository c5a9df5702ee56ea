import AfterpushWire
import EventSamples
import Events
import Testing

@Suite struct ClockTests {
    private func result(
        occurred: String, sent: String?, limits: Limits = Limits()
    ) throws -> ValidatedSubmission {
        let event = Sample.event(["occurred_at": Sample.quoted(occurred)])
        let sentAt = sent.map { "\"sent_at\":\"\($0)\"," } ?? ""
        return try Sample.validated("{\(sentAt)\"events\":[\(event)]}".utf8, Sample.context(limits: limits))
    }

    @Test func `the device's clock is used without sent_at`() throws {
        let event = try #require(try result(occurred: "2026-11-21T08:00:00Z", sent: nil).events.first)
        #expect(event.occurredAt == event.deviceTime)
        #expect(event.skewMilliseconds == nil)
    }

    @Test(arguments: [
        ("2026-11-21T09:00:00.123Z", "2026-11-21T08:59:59.877Z", 3_599_877),
        ("2026-11-22T10:00:00Z", "2026-11-20T08:00:00Z", -86_400_000),
        ("2026-11-21T09:59:00.001Z", "2026-11-21T08:00:00Z", 0),
        ("2026-11-21T10:00:59.999999Z", "2026-11-21T08:00:00Z", 0),
        ("2026-11-21T09:59:00Z", "2026-11-21T08:01:00Z", 60_000),
        ("2026-11-21T10:01:00Z", "2026-11-21T07:59:00Z", -60_000),
    ])
    func `a clock error of a minute or more is corrected`(sent: String, corrected: String, skew: Int64) throws {
        let event = try #require(try result(occurred: "2026-11-21T08:00:00Z", sent: sent).events.first)
        #expect(event.deviceTime == Timestamp("2026-11-21T08:00:00Z"))
        #expect(event.occurredAt == Timestamp(corrected))
        #expect(event.skewMilliseconds == skew)
    }

    @Test(arguments: ["17", "[]", "\"yesterday\"", "\"2026-02-30T00:00:00Z\"", "\"294277-01-01T00:00:00Z\""])
    func `E47 - an unreadable time is invalid`(text: String) throws {
        try Sample.expectRejection(.occurredAtInvalid, naming: "occurred_at", ["occurred_at": text])
    }

    @Test func `E47 - a time more than a day in the future is rejected, by the corrected clock`() throws {
        #expect(try result(occurred: "2026-11-22T10:00:00Z", sent: nil).events.count == 1)
        let late = try result(occurred: "2026-11-22T10:00:00.000001Z", sent: nil)
        #expect(late.rejections.map(\.code) == [.occurredAtOutOfRange])
        #expect(late.rejections.first?.detail.contains("occurred_at") == true)
        #expect(
            try result(occurred: "9999-12-31T23:59:59Z", sent: nil).rejections.map(\.code) == [.occurredAtOutOfRange])
        #expect(try result(occurred: "2036-11-21T09:00:00Z", sent: "2036-11-21T10:00:00Z").events.count == 1)
        let ahead = try result(occurred: "2026-11-22T09:00:00Z", sent: "2026-11-21T08:00:00Z")
        #expect(ahead.rejections.map(\.code) == [.occurredAtOutOfRange])
    }

    @Test func `E47 - a time before the retention limit or the first year is rejected`() throws {
        var limits = Limits()
        limits.oldest = Timestamp("2026-08-23T10:00:00Z")
        #expect(try result(occurred: "2026-08-23T10:00:00Z", sent: nil, limits: limits).events.count == 1)
        let old = try result(occurred: "2026-08-23T09:59:59.999999Z", sent: nil, limits: limits)
        #expect(old.rejections.map(\.code) == [.occurredAtOutOfRange])
        for ancient in ["1970-01-01T00:00:00Z", "1900-01-01T00:00:00Z", "0001-01-01T00:00:00Z"] {
            #expect(try result(occurred: ancient, sent: nil).events.count == 1)
            #expect(try result(occurred: ancient, sent: nil, limits: limits).events.isEmpty)
        }
        let absurd = try result(occurred: "1970-01-01T00:00:00Z", sent: "9999-12-31T23:59:59Z")
        #expect(absurd.rejections.map(\.code) == [.occurredAtOutOfRange])
    }
}
