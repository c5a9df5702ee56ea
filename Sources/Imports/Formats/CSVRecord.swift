/// A record of a CSV file: its cells without quotes.
struct CSVRecord {
    private(set) var bytes: [UInt8] = []
    /// The position in `bytes` at which each cell ends.
    private(set) var ends: [Int] = []
    /// The number of lines in the record, including the line end that closes it.
    private(set) var lines = 0
    /// Whether there is text after a closing quote.
    private(set) var isBroken = false

    var count: Int { ends.count }
    var isBlank: Bool { ends.count == 1 && bytes.isEmpty }

    func cell(_ place: Int) -> ArraySlice<UInt8> {
        bytes[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
    }

    /// Reads the record that begins at a position.
    ///
    /// - Parameter isEnd: Whether `bytes` ends the file.
    /// - Returns: The start of the next record, or `nil` if the text ends within this one.
    mutating func read(_ bytes: [UInt8], from start: Int, delimiter: UInt8, isEnd: Bool) -> Int? {
        let text = bytes.span
        self.bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        lines = 0
        isBroken = false
        var at = start
        while true {
            if at < text.count, text[at] == UInt8(ascii: "\"") {
                guard let next = readQuoted(text, at + 1, isEnd: isEnd) else { return nil }
                at = next
                if at < text.count, text[at] != delimiter, !text[at].endsLine { isBroken = true }
            }
            while at < text.count, text[at] != delimiter, !text[at].endsLine {
                self.bytes.append(text[at])
                at &+= 1
            }
            guard at < text.count || isEnd else { return nil }
            ends.append(self.bytes.count)
            guard at < text.count else { return at }
            at += 1
            if text[at - 1] == delimiter { continue }
            lines += 1
            guard text[at - 1] == UInt8(ascii: "\r") else { return at }
            guard at < text.count else { return isEnd ? at : nil }
            return text[at] == UInt8(ascii: "\n") ? at + 1 : at
        }
    }

    /// Reads the content of a quoted cell.
    ///
    /// - Returns: The position after the closing quote, or `nil` if the text ends before it.
    private mutating func readQuoted(_ text: Span<UInt8>, _ start: Int, isEnd: Bool) -> Int? {
        var at = start
        while at < text.count {
            let byte = text[at]
            at &+= 1
            if byte == UInt8(ascii: "\"") {
                guard at < text.count else { return isEnd ? at : nil }
                guard text[at] == byte else { return at }
                at &+= 1
            } else if byte == UInt8(ascii: "\n") {
                lines += 1
            }
            bytes.append(byte)
        }
        return nil
    }
}

extension UInt8 {
    fileprivate var endsLine: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
