import JSON

extension SubmissionReader {
    /// Reads a body with one event per line. Only the line is rejected if it is not JSON, and blank lines are skipped.
    mutating func readLines() throws(JSONSyntaxError) {
        let bodyEnd = scanner.end
        while scanner.position < bodyEnd {
            scanner.end = endOfLine(from: scanner.position, in: bodyEnd)
            if scanner.skipSpace() != nil {
                try checkCount()
                readLine()
            }
            scanner.position = scanner.end + 1
        }
        if events.isEmpty { throw JSONSyntaxError(what: "the body is empty", offset: 0) }
    }

    private func endOfLine(from start: Int, in end: Int) -> Int {
        var position = start
        while position < end, scanner.bytes[position] != UInt8(ascii: "\n") { position &+= 1 }
        return position
    }

    private mutating func readLine() {
        let start = scanner.position
        let firstField = fields.count
        do throws(JSONSyntaxError) {
            try readElement()
            guard scanner.skipSpace() != nil else { return }
            events.removeLast()
            throw JSONSyntaxError(what: "there is more text after the event", offset: scanner.position)
        } catch {
            var event = EventReader(start: start, fields: firstField)
            _ = scanner.takeFault()
            event.note(.unreadable(what: error.what, offset: error.offset))
            // The text after the error has no known structure and can contain typed text, so it is not kept.
            append(event, end: scanner.bytes[start] == UInt8(ascii: "{") ? error.offset : start)
        }
    }
}
