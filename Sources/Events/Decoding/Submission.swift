package import AfterpushWire
import JSON

/// A parsed request body: the position and the fields of every event, before validation.
///
/// It keeps the bytes and positions in them; a text is created only when it is needed.
package struct Submission: Sendable {
    /// The time of sending by the sender's clock, or `nil` if the request does not contain it.
    package let sentAt: Timestamp?
    let bytes: [UInt8]
    let events: [RawEvent]
    /// The fields of all events, in order.
    let fields: [RawField]

    /// The number of events in the request, valid or not.
    package var count: Int { events.count }

    /// The line on which each event begins, counted from 0.
    package var lines: [Int] {
        var lines: [Int] = []
        lines.reserveCapacity(events.count)
        var (position, line) = (0, 0)
        for event in events {
            while position < event.bytes.lowerBound {
                if bytes[position] == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
            lines.append(line)
        }
        return lines
    }

    /// Reads a body in one pass.
    ///
    /// An error in one event rejects only that event. Only a body that can't be split into events is refused
    /// as a whole.
    package static func read(
        _ bytes: [UInt8], as format: BodyFormat, limits: Limits = Limits()
    ) throws(BodyError) -> Submission {
        var reader = SubmissionReader(bytes, limits: limits)
        do throws(JSONSyntaxError) {
            switch format {
            case .json: try reader.readText()
            case .ndjson: try reader.readLines()
            }
        } catch {
            throw reader.hasTooManyEvents
                ? .tooManyEvents(limit: limits.events) : .malformed(what: error.what, offset: error.offset)
        }
        return Submission(sentAt: reader.sentAt, bytes: bytes, events: reader.events, fields: reader.fields)
    }
}

extension Submission {
    /// Whether any event has a receipt; otherwise no secrets need to be looked up.
    package var statesReceipts: Bool {
        events.contains { $0.stated & FieldName.receipt.bit != 0 }
    }
}

/// The format of a request's body.
package enum BodyFormat: Sendable {
    /// A JSON document: a request, an array of events, or one event.
    case json
    /// A text with one event per line.
    case ndjson
}

/// The reason why a whole body is refused.
///
/// The description says what is wrong and where; it never includes the content.
package enum BodyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The body can't be read, which gives status 400. `offset` counts bytes from the start of the body.
    case malformed(what: String, offset: Int)
    /// The body contains too many events, which gives status 413.
    case tooManyEvents(limit: Int)

    package var description: String {
        switch self {
        case .malformed(let what, let offset): "\(what), at byte \(offset)"
        case .tooManyEvents(let limit): "a request holds at most \(limit) events"
        }
    }
}
