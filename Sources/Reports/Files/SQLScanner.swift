/// Splits a report file into tokens by the rules of psql's scanner with `standard_conforming_strings` on.
///
/// There are no variables inside literals, quoted identifiers, dollar quotes and comments. `::`, `:=` and the bounds of
/// an array slice (`[1:2]`) are not variables either.
struct SQLScanner {
    private let file: String
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(file: String, text: String) {
        self.file = file
        bytes = Array(text.utf8)
    }

    /// Returns the next token, or `nil` at the end of the file.
    mutating func next() throws(ReportError) -> SQLToken? {
        guard let byte = peek() else { return nil }
        let start = position
        let startLine = line
        let kind = try scan(from: byte)
        let text = bytes[start..<position]
        line += text.count { $0 == .newline }
        return SQLToken(kind: kind, text: String(decoding: text, as: UTF8.self), line: startLine)
    }

    private mutating func scan(from byte: UInt8) throws(ReportError) -> SQLToken.Kind {
        switch byte {
        case _ where byte.isSpace:
            skip { $0.isSpace }
            return .blank
        case UInt8(ascii: "-") where peek(1) == byte:
            skip { $0 != .newline }
            return .blank
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
            try skipBlockComment()
            return .blank
        case UInt8(ascii: ":"): return try scanColon()
        case UInt8(ascii: ";"):
            position += 1
            return .semicolon
        case UInt8(ascii: "\\"): return scanCommand()
        case UInt8(ascii: "$"): return try scanDollar()
        default:
            try skipSQL(from: byte)
            return .sql
        }
    }

    private mutating func skipSQL(from byte: UInt8) throws(ReportError) {
        switch byte {
        case UInt8(ascii: "'"): try skipQuoted(by: byte, escapes: false)
        case UInt8(ascii: "\""): try skipQuoted(by: byte, escapes: false)
        case _ where byte.startsIdentifier:
            let start = position
            skip { $0.continuesIdentifier }
            let isEscapeMark = position == start + 1 && byte | 0x20 == UInt8(ascii: "e")
            if isEscapeMark, peek() == UInt8(ascii: "'") { try skipQuoted(by: UInt8(ascii: "'"), escapes: true) }
        default: position += 1
        }
    }

    private mutating func scanCommand() -> SQLToken.Kind {
        let start = position + 1
        skip { $0 != .newline }
        return .command(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Scans `:name`, `:'name'` or `:"name"`; any other colon belongs to an operator.
    ///
    /// `:{` is refused, because psql would replace it by `TRUE` or `FALSE`.
    private mutating func scanColon() throws(ReportError) -> SQLToken.Kind {
        position += 1
        guard let byte = peek() else { return .sql }
        if byte == UInt8(ascii: "{") {
            throw .file(name: file, line: line, detail: ":{?name} is only for \\if; compare :'name' with '' instead")
        }
        if byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") {
            position += 1
            return .sql
        }
        let isQuoted = byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
        let start = position + (isQuoted ? 1 : 0)
        guard start < bytes.count, bytes[start].startsVariable else { return .sql }
        let end = bytes[start...].firstIndex { !$0.continuesVariable } ?? bytes.count
        if isQuoted, end == bytes.count || bytes[end] != byte { return .sql }
        position = isQuoted ? end + 1 : end
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        let style: SQLTemplate.Style = !isQuoted ? .raw : byte == UInt8(ascii: "'") ? .value : .identifier
        return .variable(style, name: name)
    }
}

extension SQLScanner {
    private mutating func scanDollar() throws(ReportError) -> SQLToken.Kind {
        let start = position
        position += 1
        if let digit = peek(), digit.isDigit {
            skip { $0.isDigit }
            return .positional
        }
        skip { $0.continuesVariable }
        guard peek() == UInt8(ascii: "$") else {
            position = start + 1
            return .sql
        }
        position += 1
        try skipPast(Array(bytes[start..<position]), opened: "dollar quote")
        return .sql
    }

    private mutating func skipPast(_ end: [UInt8], opened: String) throws(ReportError) {
        while position + end.count <= bytes.count {
            if bytes[position..<position + end.count].elementsEqual(end) {
                position += end.count
                return
            }
            position += 1
        }
        throw unterminated(opened)
    }

    /// Skips a quoted text, in which a doubled quote is part of the text.
    private mutating func skipQuoted(by quote: UInt8, escapes: Bool) throws(ReportError) {
        position += 1
        while let byte = peek() {
            if escapes, byte == UInt8(ascii: "\\") {
                position += 2
            } else if byte != quote {
                position += 1
            } else if peek(1) == quote {
                position += 2
            } else {
                position += 1
                return
            }
        }
        throw unterminated(quote == UInt8(ascii: "'") ? "literal" : "quoted identifier")
    }

    private mutating func skipBlockComment() throws(ReportError) {
        var depth = 0
        while let byte = peek() {
            let pair = (byte, peek(1))
            if pair == (UInt8(ascii: "/"), UInt8(ascii: "*")) {
                depth += 1
                position += 2
            } else if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) {
                depth -= 1
                position += 2
                if depth == 0 { return }
            } else {
                position += 1
            }
        }
        throw unterminated("comment")
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while let byte = peek(), condition(byte) { position += 1 }
    }

    private func peek(_ ahead: Int = 0) -> UInt8? {
        position + ahead < bytes.count ? bytes[position + ahead] : nil
    }

    private func unterminated(_ what: String) -> ReportError {
        .file(name: file, line: line, detail: "the \(what) that begins here has no end")
    }
}

extension UInt8 {
    fileprivate static var newline: UInt8 { UInt8(ascii: "\n") }
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var startsVariable: Bool { (0x61...0x7A).contains(self | 0x20) || self == UInt8(ascii: "_") }
    fileprivate var continuesVariable: Bool { startsVariable || isDigit }
    fileprivate var startsIdentifier: Bool { startsVariable || self >= 0x80 }
    fileprivate var continuesIdentifier: Bool { startsIdentifier || isDigit || self == UInt8(ascii: "$") }
}

/// A token of a report file, as psql's scanner splits it.
struct SQLToken: Equatable {
    enum Kind: Equatable {
        /// A piece of white space, or a comment.
        case blank
        /// A piece of SQL that is sent to the server unchanged, such as a word, literal or operator.
        case sql
        case variable(SQLTemplate.Style, name: String)
        /// A positional parameter such as `$1`, for which psql has no value.
        case positional
        case semicolon
        /// A command of psql: the rest of the line after a backslash.
        case command(String)
    }

    let kind: Kind
    let text: String
    let line: Int
}
