import AfterpushWire
import Foundation

/// A batch of events to send in one request, with the positions in the queue to acknowledge once they are stored.
struct Batch: Sendable {
    /// A position in a segment: everything before the offset belongs to this batch or an earlier one.
    struct Position: Sendable, Equatable {
        let segment: String
        let offset: Int
    }

    /// The JSON of the events.
    private(set) var events: [[UInt8]] = []
    private(set) var positions: [Position] = []
    /// The number of events that are left out because they are too old.
    private(set) var expired = 0
    /// The number of events that are left out because they are damaged.
    private(set) var damaged = 0
    private var bytes = 0
    /// A Boolean value that says whether there are more segments, though these had no event. The next batch is of those.
    var isPartial = false

    var isEmpty: Bool { events.isEmpty }

    /// Appends the events of a scanned segment, as many as fit.
    ///
    /// - Parameter oldest: The time in milliseconds since 1970 before which events are left out.
    mutating func append(_ scan: SegmentScan, of segment: String, limits: BatchLimits, oldest: Int64) {
        var end: Int?
        for record in scan.records {
            guard hasRoom(for: record.json.count, limits) else { break }
            if record.followsDamage { damaged += 1 }
            let json = Array(scan.bytes[record.json])
            if record.milliseconds < oldest {
                expired += 1
            } else if !Self.isObject(json) {
                damaged += 1
            } else {
                events.append(json)
                bytes += record.json.count + 1
            }
            end = record.json.upperBound
        }
        if let end { positions.append(Position(segment: segment, offset: scan.start + end)) }
    }

    /// Returns whether the bytes are one JSON object. Anything else would make the whole request unreadable, or make the
    /// collector count more or fewer events than were sent, so that the batch would be sent for ever.
    private static func isObject(_ json: [UInt8]) -> Bool {
        json.first == UInt8(ascii: "{") && json.last == UInt8(ascii: "}")
            && (try? JSONSerialization.jsonObject(with: Data(json))) is [String: Any]
    }

    /// Appends one event and returns true, if it fits.
    ///
    /// - Parameter end: The position after the event.
    mutating func append(_ event: [UInt8], upTo end: Position, _ limits: BatchLimits) -> Bool {
        guard hasRoom(for: event.count, limits) else { return false }
        events.append(event)
        bytes += event.count + 1
        positions = [end]
        return true
    }

    /// Returns whether an event of this length fits. The first one always does.
    func hasRoom(for length: Int = 0, _ limits: BatchLimits) -> Bool {
        events.isEmpty || events.count < limits.events && bytes + length <= limits.bytes
    }

    /// Returns the body of a request with these events.
    func requestBody(sentAt: Timestamp) -> [UInt8] {
        var body = Array(#"{"sent_at":"\#(sentAt)","events":["#.utf8)
        body.reserveCapacity(body.count + events.reduce(2) { $0 + $1.count + 1 })
        for (index, event) in events.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += event
        }
        body += Array("]}".utf8)
        return body
    }
}

/// The limits of one request.
struct BatchLimits: Sendable, Equatable {
    /// The number of events.
    private(set) var events: Int
    /// The bytes of JSON before compression.
    let bytes: Int
    private let maximumEvents: Int

    init(events: Int, bytes: Int = 256 * 1024) {
        self.events = max(1, events)
        self.bytes = bytes
        maximumEvents = self.events
    }

    /// Halves the number of events after a request with `sent` events was refused as a whole.
    mutating func halve(_ sent: Int) {
        events = max(1, sent / 2)
    }

    /// Doubles the number of events, up to the configured one, after a request was accepted.
    mutating func grow() {
        events = min(maximumEvents, events * 2)
    }
}
