import Backoff
import Foundation
import Testing

@testable import AfterpushClient

/// Tests when to send, without a clock.
struct SendScheduleTests {
    private let fresh = SendSchedule(
        batchEvents: 3, delay: 5, backoff: ExponentialBackoff(first: 1, limit: 60, jitter: 0.5))

    @Test func `an event waits for others, but a full batch does not`() {
        var schedule = fresh
        #expect(schedule.eventRecorded(at: 100) == 5)
        #expect(schedule.eventRecorded(at: 101) == nil, "the timer is set")
        #expect(schedule.eventRecorded(at: 102) == 0)
        #expect(schedule.timerFired(at: 102) == true)
        #expect(schedule.timerFired(at: 105) == false, "the replaced timer has no effect")
        #expect(schedule.eventRecorded(at: 106) == 5)
    }

    @Test func `each failure doubles the time until the next attempt`() {
        var schedule = fresh
        #expect(schedule.ended(.failed(retryAfter: nil), at: 100, jitter: 1) == 1)
        #expect(schedule.ended(.failed(retryAfter: nil), at: 200, jitter: 1) == 2)
        #expect(schedule.ended(.failed(retryAfter: nil), at: 300, jitter: 0) == 2)
        for _ in 0..<3 { #expect(schedule.eventRecorded(at: 301) == nil) }
        #expect(schedule.timerFired(at: 301.9) == false)
        #expect(schedule.timerFired(at: 302) == true)
        #expect(schedule.ended(.empty, at: 303, jitter: 0) == nil)
        #expect(schedule.ended(.failed(retryAfter: nil), at: 400, jitter: 1) == 1, "a success forgets failures")
    }

    @Test func `the client waits at least as long as Retry-After says`() {
        var schedule = fresh
        #expect(schedule.ended(.failed(retryAfter: 30), at: 100, jitter: 1) == 30)
        #expect(schedule.retryAfterEnd == 130)
        #expect(schedule.ended(.failed(retryAfter: 0), at: 200, jitter: 1) == 2, "the client's own wait may be longer")
    }

    @Test func `a refused key stops the schedule`() {
        var schedule = fresh
        #expect(schedule.ended(.keyRefused, at: 100, jitter: 0) == nil)
        #expect(schedule.eventRecorded(at: 101) == nil)
        #expect(schedule.timerFired(at: 1_000) == false)
    }

    @Test func `the schedule checks again later while another instance sends`() {
        var schedule = fresh
        #expect(schedule.ended(.busy, at: 100, jitter: 0) == 5)
    }

    @Test(
        arguments: [
            ("7", 7.0), (" 7 ", 7), ("0", 0), ("-3", 0), ("1e9", 3_600), ("Thu, 01 Jan 1970 00:00:20 GMT", 20),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("soon", nil), ("nan", nil), (nil, nil),
        ] as [(String?, Double?)])
    func `Retry-After is parsed as seconds or as a date`(text: String?, seconds: Double?) {
        #expect(RetryAfter.seconds(text, now: Date(timeIntervalSince1970: 0)) == seconds)
    }
}
