import Foundation
import JSON

/// Copies an event as it was received, with typed text replaced by its length.
///
/// It works on tokens rather than fields, because it is needed for events whose fields could not be read. The value of
/// every member `user_text`, at any depth and with or without escapes, is replaced by its length in bytes. So are those
/// in strings that are JSON themselves; a string that mentions `user_text` and is almost JSON is replaced as a whole.
struct SubmittedEvent {
    private let bytes: [UInt8]
    private let end: Int
    private let limit: Int
    /// How many strings this text is inside of.
    private let depth: Int
    private var position: Int
    private var text: [UInt8] = []
    private var hasReplaced = false

    private static let deepest = 8

    private init(_ bytes: [UInt8], _ range: Range<Int>, limit: Int, depth: Int = 0) {
        self.bytes = bytes
        self.limit = limit
        self.depth = depth
        position = range.lowerBound
        end = range.upperBound
        text.reserveCapacity(min(range.count, limit))
    }

    /// Returns at most `limit` bytes of the event's text, with NUL and invalid UTF-8 replaced by U+FFFD.
    static func text(of bytes: [UInt8], _ range: Range<Int>, limit: Int) -> String {
        var event = SubmittedEvent(bytes, range, limit: limit)
        event.copy()
        return String(decoding: event.text, as: UTF8.self).prefix(utf8Bytes: limit)
    }

    private mutating func copy() {
        while position < end, text.count <= limit {
            guard bytes[position] == UInt8(ascii: "\"") else {
                copy(through: bytes.position(of: UInt8(ascii: "\""), from: position, to: min(end, position + limit)))
                continue
            }
            let string = position + 1..<endOfString(from: position + 1)
            if let replacement = replacement(for: string) {
                text.append(contentsOf: replacement)
                position = min(string.upperBound + 1, end)
                hasReplaced = true
                continue
            }
            copy(through: string.upperBound + 1)
            if isUserText(string), skipColon() { replaceValue() }
        }
    }

    private mutating func copy(through limit: Int) {
        let limit = min(limit, end)
        while true {
            let zero = bytes.position(of: 0, from: position, to: limit)
            text.append(contentsOf: bytes[position..<zero])
            position = zero
            guard zero < limit else { return }
            text.append(contentsOf: [0xEF, 0xBF, 0xBD])
            position += 1
        }
    }

    /// Returns the position of the quote that closes a string, or the end of the text.
    private func endOfString(from start: Int) -> Int {
        var quote = bytes.position(of: UInt8(ascii: "\""), from: start, to: end)
        var at = start
        while true {
            let escape = bytes.position(of: UInt8(ascii: "\\"), from: at, to: quote)
            guard escape < quote else { return quote }
            at = escape + 2
            if at > quote { quote = bytes.position(of: UInt8(ascii: "\""), from: at, to: end) }
        }
    }

    /// Returns what to keep of a string that contains typed text, or `nil` to keep it as it is.
    private func replacement(for string: Range<Int>) -> [UInt8]? {
        // JSON within a string needs an escape for each of its quotes.
        guard bytes.has(UInt8(ascii: "\\"), from: string.lowerBound, to: string.upperBound) else { return nil }
        let content = JSONText.unescape(bytes, string)
        guard Self.mentionsUserText(content) else { return nil }
        guard depth < Self.deepest, Self.isJSON(content) else { return Array(String(content.count).utf8) }
        var inner = SubmittedEvent(content, 0..<content.count, limit: limit, depth: depth + 1)
        inner.copy()
        guard inner.hasReplaced else { return nil }
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        JSONText.appendEscaped(inner.text, to: &quoted)
        quoted.append(UInt8(ascii: "\""))
        return quoted
    }

    /// Whether a text has the name `user_text` in it, and quotes, under any number of escapes. A text that is escaped more
    /// often than anybody would counts as one that has: it can be made so that each time removes only a few bytes.
    private static func mentionsUserText(_ content: [UInt8]) -> Bool {
        var content = content
        let name = Array("user_text".utf8)
        for _ in 0..<deepest {
            if content.position(of: name) != nil, content.has(UInt8(ascii: "\"")) { return true }
            let plain = JSONText.unescape(content, 0..<content.count)
            guard plain.count < content.count else { return false }
            content = plain
        }
        return true
    }

    private static func isJSON(_ content: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(content), options: .fragmentsAllowed)) != nil
    }

    private func isUserText(_ string: Range<Int>) -> Bool {
        // Nine letters, each of which can be written as an escape of six bytes.
        guard (9...54).contains(string.count) else { return false }
        return JSONText.unescape(bytes, string).span.equals("user_text")
    }

    private mutating func skipSpace() {
        while position < end, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { copy(through: position + 1) }
    }

    private mutating func skipColon() -> Bool {
        skipSpace()
        guard position < end, bytes[position] == UInt8(ascii: ":") else { return false }
        copy(through: position + 1)
        skipSpace()
        return position < end
    }

    private mutating func replaceValue() {
        let start = position
        hasReplaced = true
        if bytes[start] == UInt8(ascii: "\"") {
            let close = endOfString(from: start + 1)
            position = min(close + 1, end)
            append(JSONText.unescape(bytes, start + 1..<close).count)
        } else {
            position = endOfOtherValue(from: start)
            let isNull = bytes.span.extracting(start..<position).equals("null")
            if isNull { text.append(contentsOf: "null".utf8) } else { append(position - start) }
        }
    }

    private mutating func append(_ length: Int) {
        text.append(contentsOf: String(length).utf8)
    }

    /// Returns the position after a value that is not a string: after its brackets, or at the end of a word.
    private func endOfOtherValue(from start: Int) -> Int {
        var depth = 0
        var at = start
        while at < end {
            switch bytes[at] {
            case UInt8(ascii: "\""): at = endOfString(from: at + 1)
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return at }
                depth -= 1
                if depth == 0 { return at + 1 }
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
                if depth == 0 { return at }
            default: break
            }
            at += 1
        }
        return end
    }
}
