import AfterpushWire
import JSON

extension SubmissionReader {
    /// Reads a body that is an object: a request if it has a member `events`, otherwise one event.
    mutating func readObject() throws(JSONSyntaxError) {
        var event = EventReader(start: scanner.position, fields: fields.count)
        var sentAt: ValueToken?
        scanner.position += 1
        var isFirst = true
        while let member = try event.nextMember(&scanner, isFirst: &isFirst) {
            if member.equals("events", in: scanner.bytes) {
                return try readRequest(after: event, sentAt: sentAt)
            }
            let field = try event.readValue(&scanner, of: member)
            keep(field, of: event)
            if member.equals("sent_at", in: scanner.bytes) {
                sentAt = ValueToken(
                    type: field.type, start: field.value.lowerBound, end: field.value.upperBound,
                    hasEscapes: field.hasEscapes)
            }
        }
        append(event, end: scanner.position)
    }

    /// Reads the rest of a request from the value of `events`, after the members before it were read as an event's.
    private mutating func readRequest(after other: EventReader, sentAt earlier: ValueToken?) throws(JSONSyntaxError) {
        if let fault = other.syntaxFault { throw Self.malformed(fault) }
        fields.removeAll(keepingCapacity: true)
        guard scanner.bytes[scanner.position] == UInt8(ascii: "[") else {
            throw JSONSyntaxError(what: "events is not an array", offset: scanner.position)
        }
        try readElements()

        var sentAt = earlier
        var isFirst = false
        while let key = try scanner.nextMember(isFirst: &isFirst) {
            let member = MemberName(key: key, bytes: scanner.bytes)
            guard !member.equals("events", in: scanner.bytes) else {
                throw JSONSyntaxError(what: "events appears twice", offset: key.start)
            }
            let value = try scanner.scanValue(depth: 1)
            if member.equals("sent_at", in: scanner.bytes) { sentAt = value }
            if let fault = scanner.takeFault(), fault.kind.isSyntax { throw Self.malformed(fault) }
        }
        if let sentAt { self.sentAt = try readTime(sentAt) }
    }

    /// Turns a fault outside the events into an error, because there is no event to reject.
    private static func malformed(_ fault: (kind: JSONTokenFailure, offset: Int)) -> JSONSyntaxError {
        JSONSyntaxError(what: "a value next to the events \(fault.kind.what)", offset: fault.offset)
    }

    private func readTime(_ value: ValueToken) throws(JSONSyntaxError) -> Timestamp? {
        if value.type == .null { return nil }
        let text = JSONText.unescape(scanner.bytes, value.start..<value.end)
        guard value.type == .string, let time = Timestamp(rfc3339: text.span) else {
            throw JSONSyntaxError(what: "sent_at is not an RFC 3339 time", offset: value.start)
        }
        return time
    }
}
