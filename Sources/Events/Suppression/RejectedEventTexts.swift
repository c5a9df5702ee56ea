import Foundation
import JSON

/// Finds all texts of a rejected event that can be the ID of its device.
///
/// The event need not be valid JSON: it may be cut off, have stray quotes, or name a field twice. The texts are all that
/// its strings and numbers say, as they are written and without escapes, and the devices that receipts in it are bound to,
/// verified or not. All work is linear in the length of the event.
package struct RejectedEventTexts {
    /// The distinct texts, at most `limit`.
    package private(set) var texts: Set<[UInt8]> = []
    /// Whether the event has more texts than were looked at.
    package private(set) var isIncomplete = false

    /// Whether the event has a backslash. Most have none, and are searched faster.
    private let hasEscapes: Bool

    /// The number of texts beyond which the search of a request's events ends. Each is hashed.
    static let limit = 2_000
    private let limit: Int
    private static let name = Array("\"sub\"".utf8)
    private static let subject = WantedTexts([name])
    /// The length of a device's ID, and of white space around it.
    private static let longest = 256 + 64

    /// - Parameter limit: The number of texts beyond which the search ends.
    package init(_ event: String, limit: Int = Self.limit) {
        self.limit = limit
        let bytes = Array(event.utf8)
        hasEscapes = bytes.has(UInt8(ascii: "\\"))
        addStrings(of: bytes)
        addPartsBetweenQuotes(of: bytes)
        let readings = Self.readings(of: bytes)
        for text in Base64Runs(readings, with: Self.subject).texts { addSubjects(of: text) }
    }

    private mutating func add(_ text: some Collection<UInt8>) {
        guard !text.isEmpty, text.count <= Self.longest, !isIncomplete else { return }
        guard texts.count < limit else {
            isIncomplete = true
            return
        }
        texts.insert(Array(text))
    }

    /// Adds a text as it is written and, if it has any, without escapes.
    private mutating func add(escaped text: ArraySlice<UInt8>) {
        guard text.count <= 6 * Self.longest else { return }
        add(text)
        guard hasEscapes else { return }
        let text = Array(text)
        if text.has(UInt8(ascii: "\\")) { add(JSONText.unescape(text, 0..<text.count)) }
    }

    /// Adds the strings between unescaped quotes, and the numbers outside of them.
    ///
    /// A stray quote exchanges strings and what is between them, so both are added.
    private mutating func addStrings(of bytes: [UInt8]) {
        var start = 0
        var isString = false
        var at = 0
        while at <= bytes.count {
            if !hasEscapes {
                at = bytes.position(of: UInt8(ascii: "\""), from: at, to: bytes.count)
            } else if at < bytes.count, bytes[at] == UInt8(ascii: "\\") {
                at += 2
                continue
            }
            if at == bytes.count || bytes[at] == UInt8(ascii: "\"") {
                let part = bytes[start..<at]
                add(escaped: part)
                if !isString { addNumbers(of: part) }
                isString.toggle()
                start = at + 1
            }
            at += 1
        }
        if start < bytes.count { add(escaped: bytes[start...]) }
    }

    /// Adds the texts between all quotes, escaped ones included, with and without their escapes.
    private mutating func addPartsBetweenQuotes(of bytes: [UInt8]) {
        guard hasEscapes else { return }
        for part in bytes.split(separator: UInt8(ascii: "\"")) { add(part) }
        for part in Self.withoutEscapes(bytes).split(separator: UInt8(ascii: "\"")) { add(part) }
    }

    /// Removes each backslash with the character behind it.
    private static func withoutEscapes(_ bytes: [UInt8]) -> [UInt8] {
        var rest: [UInt8] = []
        rest.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count else {
                rest.append(bytes[at])
                at += 1
                continue
            }
            at += 2
            while at < bytes.count, bytes[at] & 0xC0 == 0x80 { at += 1 }
        }
        return rest
    }

    /// Adds the numbers of a text as they are written, and as PostgreSQL writes those with an exponent.
    private mutating func addNumbers(of text: ArraySlice<UInt8>) {
        for word in text.split(whereSeparator: { !$0.isNumeric }) where word.count <= Self.longest {
            add(word)
            if word.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) || word.starts(with: "-0".utf8) {
                guard let number = Decimal(string: String(decoding: word, as: UTF8.self)) else { continue }
                add(Array("\(number)".utf8))
            }
        }
    }

    /// Returns the event and, if it has any, without JSON escapes and without percent-encoding.
    static func readings(of bytes: [UInt8]) -> [UInt8] {
        var readings = bytes
        var plain = bytes
        if bytes.has(UInt8(ascii: "\\")) {
            plain = JSONText.unescape(bytes, bytes.indices, keepsUnknown: false)
            readings += [UInt8(ascii: "\n")] + plain
        }
        if plain.has(UInt8(ascii: "%")) {
            let (decoded, characters) = withoutPercentEncoding(plain)
            readings += [UInt8(ascii: "\n")] + decoded
            if characters != decoded { readings += [UInt8(ascii: "\n")] + characters }
        }
        return readings
    }

    /// Decodes percent-encoding: of all bytes, and only of those that are part of a character.
    private static func withoutPercentEncoding(_ bytes: [UInt8]) -> (all: [UInt8], characters: [UInt8]) {
        var all: [UInt8] = []
        var characters: [UInt8] = []
        all.reserveCapacity(bytes.count)
        characters.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            guard let first = bytes.percentEncoded(at) else {
                all.append(bytes[at])
                characters.append(bytes[at])
                at += 1
                continue
            }
            var character = [first]
            while character.count < 4, let next = bytes.percentEncoded(at + 3 * character.count) {
                character.append(next)
            }
            let length = character.lengthOfCharacter
            all += character.prefix(max(1, length))
            characters += length > 0 ? character.prefix(length) : bytes[at..<at + 3]
            at += 3 * max(1, length)
        }
        return (all, characters)
    }

    /// Adds the devices that receipts are bound to: the values of all fields `sub` of what was encoded in base64.
    private mutating func addSubjects(of decoded: [UInt8]) {
        let name = Self.name
        addValues(of: name, in: decoded)
        if decoded.has(UInt8(ascii: "\\")) {
            addValues(of: name, in: JSONText.unescape(decoded, decoded.indices, keepsUnknown: false))
        }
    }

    private mutating func addValues(of name: [UInt8], in bytes: [UInt8]) {
        var from = 0
        while let found = bytes.position(of: name, from: from) {
            from = found + name.count
            var at = bytes.skipSpace(from)
            guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { continue }
            at = bytes.skipSpace(at + 1)
            guard at < bytes.count else { return }
            if bytes[at] == UInt8(ascii: "\"") {
                let end = bytes.endOfString(at + 1)
                addBytes(escaped: bytes[at + 1..<end])
            } else {
                add(bytes[at...].prefix { $0.isNumeric })
            }
        }
    }

    /// Adds a text that may be no UTF-8: the database reads each of its bytes as a character then.
    private mutating func addBytes(escaped bytes: ArraySlice<UInt8>) {
        guard bytes.count <= 6 * Self.longest else { return }
        var readings = [Array(bytes)]
        if bytes.contains(where: { $0 >= 0x80 }) {
            readings.append(bytes.flatMap { UTF8.encode(Unicode.Scalar($0)).map(Array.init) ?? [] })
        }
        for reading in readings {
            add(reading)
            add(JSONText.unescape(reading, reading.indices, keepsUnknown: false))
        }
    }
}

extension UInt8 {
    /// Whether a number can contain the byte.
    fileprivate var isNumeric: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

extension [UInt8] {
    /// The byte that is percent-encoded at a position, or `nil` if none is.
    fileprivate func percentEncoded(_ at: Int) -> UInt8? {
        guard at + 2 < count, self[at] == UInt8(ascii: "%"), let high = self[at + 1].hexValue,
            let low = self[at + 2].hexValue
        else { return nil }
        return high << 4 | low
    }

    /// The number of bytes of the character with which they begin in UTF-8, or 0 if they begin with none or with NUL.
    fileprivate var lengthOfCharacter: Int {
        let (second, length): (ClosedRange<UInt8>, Int) =
            switch self[0] {
            case 0x01...0x7F: (0...0, 1)
            case 0xC2...0xDF: (0x80...0xBF, 2)
            case 0xE0: (0xA0...0xBF, 3)
            case 0xED: (0x80...0x9F, 3)
            case 0xE1...0xEF: (0x80...0xBF, 3)
            case 0xF0: (0x90...0xBF, 4)
            case 0xF1...0xF3: (0x80...0xBF, 4)
            case 0xF4: (0x80...0x8F, 4)
            default: (0...0, 0)
            }
        guard length > 1 else { return length }
        let isWhole = count >= length && second ~= self[1] && self[2..<length].allSatisfy { 0x80...0xBF ~= $0 }
        return isWhole ? length : 0
    }

    fileprivate func skipSpace(_ from: Int) -> Int {
        var at = from
        while at < count {
            let space = spaceLength(at)
            if space == 0 { return at }
            at += space
        }
        return count
    }

    /// The position of the quote that ends the string that begins at `start`, or of the end of the line, or of a
    /// backslash at the end of the text.
    fileprivate func endOfString(_ start: Int) -> Int {
        var at = start
        while at < count, self[at] != UInt8(ascii: "\""), self[at] != UInt8(ascii: "\n") {
            guard self[at] == UInt8(ascii: "\\") else {
                at += 1
                continue
            }
            guard at + 1 < count else { return at }
            at += 2
        }
        return Swift.min(at, count)
    }
}
