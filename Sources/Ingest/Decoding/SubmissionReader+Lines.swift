extension SubmissionReader {
    /// Reads a body of lines, one event each. A line that is not JSON costs itself; blank lines are skipped.
    mutating func readLines() throws(BodyError) {
        let bodyEnd = scanner.end
        while scanner.position < bodyEnd {
            scanner.end = endOfLine(from: scanner.position, in: bodyEnd)
            if scanner.skipSpace() != nil {
                guard events.count < limits.events else { throw .tooManyEvents(limit: limits.events) }
                readLine()
            }
            scanner.position = scanner.end + 1
        }
        if events.isEmpty { throw .malformed(what: "the body is empty", offset: 0) }
    }

    private func endOfLine(from start: Int, in end: Int) -> Int {
        var position = start
        while position < end, scanner.bytes[position] != UInt8(ascii: "\n") { position &+= 1 }
        return position
    }

    private mutating func readLine() {
        let start = scanner.position
        let firstField = fields.count
        do throws(BodyError) {
            try readElement()
            guard scanner.skipSpace() != nil else { return }
            events.removeLast()
            throw .malformed(what: "something follows the event", offset: scanner.position)
        } catch {
            var event = EventReader(start: start, fields: firstField)
            _ = scanner.takeFault()
            if case .malformed(let what, let offset) = error {
                event.note(.unreadable(what: what, offset: offset))
                // What follows the error can't be told apart, and may be a piece of what someone typed.
                append(event, end: scanner.bytes[start] == UInt8(ascii: "{") ? offset : start)
            }
        }
    }
}
