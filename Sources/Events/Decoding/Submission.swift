package import AfterpushWire
import JSON

/// A parsed request body: the position and the fields of every event, before validation.
///
/// It keeps the bytes and points into them; texts are made when they are asked for.
package struct Submission: Sendable {
    /// The sender's clock when it sent, if the request states it.
    package let sentAt: Timestamp?
    let bytes: [UInt8]
    let events: [RawEvent]
    /// The fields of all events, in order.
    let fields: [RawField]

    /// How many events the request holds, good and bad.
    package var count: Int { events.count }

    /// For each event how many lines of the body lie before the one that it begins on.
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
