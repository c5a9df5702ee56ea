/// One value of a row in COPY's text format: where it stands.
struct CopyCell {
    private let start: Int
    private let end: Int
    private let hasEscapes: Bool
    let isNull: Bool

    /// Finds the value that begins at a position, which then is behind the tab or line feed that ends it.
    @inline(__always)
    init(_ rows: Span<UInt8>, _ position: inout Int) {
        var at = position
        var hasEscapes = false
        while at < rows.count, rows[at] != UInt8(ascii: "\t"), rows[at] != UInt8(ascii: "\n") {
            if rows[at] == UInt8(ascii: "\\") { hasEscapes = true }
            at &+= 1
        }
        start = position
        end = at
        self.hasEscapes = hasEscapes
        // A text of these two characters has its backslash escaped.
        isNull = hasEscapes && at - position == 2 && rows[position + 1] == UInt8(ascii: "N")
        position = at + 1
    }

    /// Appends a value of a kind that holds nothing to escape.
    @inline(__always)
    func append(_ rows: Span<UInt8>, _ kind: ExportColumn.Kind, to text: inout [UInt8]) {
        switch kind {
        case .boolean: text.append(contentsOf: rows[start] == UInt8(ascii: "t") ? "true".utf8 : "false".utf8)
        case .time: appendTime(rows, to: &text)
        default: text.append(rows, start..<end)
        }
    }

    /// Appends a text as the inside of a quoted CSV cell.
    func appendQuoted(_ rows: Span<UInt8>, to text: inout [UInt8]) {
        appendUnescaped(rows, to: &text) { byte, text in
            guard byte == UInt8(ascii: "\"") else { return false }
            text.append(byte)
            text.append(byte)
            return true
        }
    }

    /// Appends a text as the inside of a JSON string.
    func appendJSON(_ rows: Span<UInt8>, to text: inout [UInt8]) {
        appendUnescaped(rows, to: &text) { byte, text in
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return false }
            text.append(jsonEscaped: byte)
            return true
        }
    }

    /// Appends a text as it is stored.
    func appendUnescaped(_ rows: Span<UInt8>, to text: inout [UInt8]) {
        appendUnescaped(rows, to: &text) { _, _ in false }
    }

    /// Whether a spreadsheet could take the text for a formula; most begin with a letter or a digit, and are none.
    func couldBeFormula(_ rows: Span<UInt8>) -> Bool {
        guard start < end, !rows[start].isPlain else { return false }
        var text: [UInt8] = []
        appendUnescaped(rows, to: &text)
        return CSVText.couldBeFormula(String(decoding: text, as: UTF8.self))
    }

    /// - Parameter special: appends a byte in another form and returns true, or leaves it.
    @inline(__always)
    private func appendUnescaped(
        _ rows: Span<UInt8>, to text: inout [UInt8], _ special: (UInt8, inout [UInt8]) -> Bool
    ) {
        var run = start
        var at = start
        while at < end {
            let isEscape = hasEscapes && rows[at] == UInt8(ascii: "\\")
            let byte = isEscape && at + 1 < end ? Self.unescaped(rows[at + 1]) : rows[at]
            if isEscape || byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                text.append(rows, run..<at)
                if !special(byte, &text) { text.append(byte) }
                at += isEscape ? 2 : 1
                run = at
            } else {
                at &+= 1
            }
        }
        text.append(rows, run..<end)
    }

    private static func unescaped(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "v"): 0x0B
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: letter
        }
    }

    /// PostgreSQL's `2026-11-21 10:00:00.5+00`, which the session's zone makes UTC, as RFC 3339.
    private func appendTime(_ rows: Span<UInt8>, to text: inout [UInt8]) {
        guard end - start > 13 else { return text.append(rows, start..<end) }
        text.append(rows, start..<start + 10)
        text.append(UInt8(ascii: "T"))
        text.append(rows, start + 11..<end - 3)
        text.append(UInt8(ascii: "Z"))
    }
}

extension [UInt8] {
    @inline(__always)
    fileprivate mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        bytes.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    fileprivate mutating func append(jsonEscaped byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        default:
            let digits = Array<UInt8>("0123456789abcdef".utf8)
            append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
            append(digits[Int(byte >> 4)])
            append(digits[Int(byte & 15)])
        }
    }
}

extension UInt8 {
    /// A letter or digit of ASCII.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
