import AfterpushWire
import JSON

/// Finds the events of a body in any of its formats.
struct SubmissionReader {
    var scanner: JSONScanner
    let limits: Limits
    var events: [RawEvent] = []
    var fields: [RawField] = []
    var sentAt: Timestamp?
    /// Whether reading ended because the body contains too many events.
    private(set) var hasTooManyEvents = false

    init(_ bytes: [UInt8], limits: Limits) {
        self.limits = limits
        scanner = JSONScanner(bytes, maximumDepth: limits.depth)
        // An estimate, so that the lists rarely grow: an event of 300 bytes has about twelve fields.
        events.reserveCapacity(min(bytes.count / 256, limits.events))
        fields.reserveCapacity(bytes.count / 24)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.position = 3 }
    }

    /// Reads a body that is one JSON text.
    mutating func readText() throws(JSONSyntaxError) {
        guard let byte = scanner.skipSpace() else { throw JSONSyntaxError(what: "the body is empty", offset: 0) }
        switch byte {
        case UInt8(ascii: "{"): try readObject()
        case UInt8(ascii: "["): try readElements()
        default: throw JSONSyntaxError(what: "the body must be a JSON object or array", offset: scanner.position)
        }
        guard scanner.skipSpace() == nil else {
            throw JSONSyntaxError(
                what: "there is more text after the end of the JSON document", offset: scanner.position)
        }
    }

    /// Reads the array of events at the scanner's position.
    mutating func readElements() throws(JSONSyntaxError) {
        scanner.position += 1
        var isFirst = true
        while try scanner.nextElement(isFirst: &isFirst) {
            try checkCount()
            try readElement()
        }
    }

    /// Throws if the limit for the number of events is reached.
    mutating func checkCount() throws(JSONSyntaxError) {
        guard events.count >= limits.events else { return }
        hasTooManyEvents = true
        throw JSONSyntaxError(what: "a request holds at most \(limits.events) events", offset: scanner.position)
    }

    /// Reads a value where an event is expected.
    mutating func readElement() throws(JSONSyntaxError) {
        var event = EventReader(start: scanner.position, fields: fields.count)
        var end: Int?
        if scanner.bytes[scanner.position] == UInt8(ascii: "{") {
            scanner.position += 1
            var isFirst = true
            while let member = try event.nextMember(&scanner, isFirst: &isFirst) {
                let field = try event.readValue(&scanner, of: member)
                keep(field, of: event)
            }
        } else {
            let value = try scanner.scanValue(depth: 0)
            _ = scanner.takeFault()
            event.note(.notAnObject)
            // A stray word could be part of typed text, separated by a line break, so it is not kept.
            if value.type == .other { end = event.start }
        }
        append(event, end: end ?? scanner.position)
    }

    /// Keeps a field unless its event is too long and will be rejected anyway.
    mutating func keep(_ field: RawField, of event: EventReader) {
        if scanner.position - event.start <= limits.eventBytes { fields.append(field) }
    }

    mutating func append(_ event: EventReader, end: Int) {
        events.append(event.finish(end: end, fields: fields.count, limit: limits.eventBytes))
    }
}
