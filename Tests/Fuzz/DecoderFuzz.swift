import AfterpushWire
import Events
import Foundation
import SeededRandom

/// Feeds request bodies to decoding and validation.
///
/// Checks that nothing crashes; that 5 MiB take at most a second; that every event is accepted or rejected once; that
/// the same bytes give the same result; and that no accepted event contains bytes that PostgreSQL refuses.
struct DecoderFuzz {
    private var grammar: Grammar

    init(seed: UInt64) {
        grammar = Grammar(random: SeededGenerator(seed: seed))
    }

    func run(_ clock: FuzzClock) {
        var grammar = grammar
        var last: [UInt8] = []
        while clock.goesOn() {
            var body = grammar.body()
            if grammar.chance(0.5) { body = grammar.mutated(body, with: last) }
            if grammar.chance(0.000_5) { body = Self.swollen(body, &grammar) }
            if body.count < 1 << 16 { last = body }
            Self.check(body, grammar.chance(0.3) ? .ndjson : .json, clock)
        }
    }

    /// A repeated pattern, up to the size limit of a body.
    private static func swollen(_ body: [UInt8], _ grammar: inout Grammar) -> [UInt8] {
        guard !body.isEmpty else { return body }
        let start = grammar.below(body.count)
        let piece = body[start..<min(body.count, start + 1 + grammar.below(300))]
        var swollen = Array(body[..<start])
        while swollen.count < 5 << 20 { swollen += piece }
        return swollen + body[start...]
    }

    static func check(_ body: [UInt8], _ format: BodyFormat, _ clock: FuzzClock) {
        clock.count(body.count)
        let start = FuzzClock.work
        let first = read(body, format)
        let work = FuzzClock.work - start
        let limit = 1.0 + Double(body.count) / Double(5 << 20)
        clock.require(work < limit, "\(work) s of work for \(body.count) bytes", body)
        let second = body.count < 1 << 16 ? read(body, format) : first
        guard let (count, result) = first else {
            clock.require(second == nil, "read once and not again", body)
            return clock.note("refused")
        }
        guard let (_, again) = second else { return clock.require(false, "read once and not again", body) }
        clock.note("with events")
        let places = (result.positions + result.rejections.map(\.index)).sorted()
        clock.require(places == Array(0..<count), "events lost or doubled: \(places.count) of \(count)", body)
        clock.require(result.events.count == result.positions.count, "an event without its place", body)
        let isSame =
            result.rejections == again.rejections && result.positions == again.positions
            && zip(result.events, again.events).allSatisfy { "\($0)" == "\($1)" || describe($0) == describe($1) }
        clock.require(isSame, "another answer the second time", body)
        clock.note("valid", result.events.count)
        clock.note("rejected", result.rejections.count)
        for event in result.events { check(event, clock, body) }
        for rejection in result.rejections { check(rejection, clock, body) }
    }

    private static func read(_ body: [UInt8], _ format: BodyFormat) -> (Int, ValidatedSubmission)? {
        guard let submission = try? Submission.read(body, as: format) else { return nil }
        let context = ValidationContext(
            appID: 7, scope: .send, receivedAt: Timestamp(microseconds: 1_795_255_200_000_000))
        return (submission.count, submission.validated(context))
    }

    /// The texts of an event with their limits in bytes.
    static func texts(_ event: Event) -> [(text: String?, limit: Int)] {
        let details = event.details
        let identifiers = [
            event.actionIdentifier, event.notificationID, event.deviceID, event.campaignID, event.variant,
            event.categoryID, details?.surface, details?.appState, details?.appVersion, details?.osVersion,
            details?.locale, details?.dismissCause, details?.reason, details?.name, details?.currency,
        ]
        return identifiers.map { ($0, 256) } + [(event.userText, 4_096), (details?.properties, 4_096)]
    }

    private static func describe(_ event: Event) -> String {
        let texts = texts(event).map { $0.text ?? "-" }.joined(separator: "|")
        return "\(event.eventID) \(event.deliveryID) \(event.deviceTime) \(event.kind) \(texts)"
    }

    private static func check(_ event: Event, _ clock: FuzzClock, _ body: [UInt8]) {
        for (text, limit) in texts(event) {
            guard let text else { continue }
            clock.require(text.utf8.count <= limit, "a text of \(text.utf8.count) bytes was taken", body)
            clock.require(!text.utf8.contains(0), "a text with NUL was taken", body)
            clock.require(!text.isEmpty, "an empty text was taken", body)
        }
        // The years 1 to 9999, which PostgreSQL can store.
        let seconds = event.occurredAt.microseconds / 1_000_000
        clock.require((-62_135_596_800...253_402_300_800).contains(seconds), "a time of \(seconds) s was taken", body)
        if let properties = event.details?.properties {
            let object = try? JSONSerialization.jsonObject(with: Data(properties.utf8))
            // Foundation can't format such large numbers, but PostgreSQL can store them.
            let isBeyondFoundation = properties.contains(/[eE][+-]?[0-9]{3}|[0-9]{18}/)
            clock.require(object is [String: Any] || isBeyondFoundation, "properties are no object", body)
        }
    }

    private static func check(_ rejection: Rejection, _ clock: FuzzClock, _ body: [UInt8]) {
        let event = rejection.submittedEvent
        clock.require(event?.utf8.contains(0) != true, "a kept event has NUL", body)
        clock.require(event?.utf8.count ?? 0 <= 32 << 10, "a kept event is too long", body)
        clock.require(rejection.eventID?.utf8.contains(0) != true, "a kept id has NUL", body)
        clock.require(rejection.eventID?.utf8.count ?? 0 <= 256, "a kept id is too long", body)
    }
}
