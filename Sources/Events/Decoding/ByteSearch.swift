import Foundation

// Long texts are searched by the C library, several bytes at a time.
extension [UInt8] {
    /// Returns the position of the first byte of this value in a part of the text, or the part's end.
    func position(of byte: UInt8, from start: Int, to end: Int) -> Int {
        guard start < end else { return end }
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), end - start) else {
                return end
            }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Whether a part of the text has a byte of this value.
    func has(_ byte: UInt8, from start: Int, to end: Int) -> Bool {
        position(of: byte, from: start, to: end) < end
    }

    /// Whether the text has a byte of this value.
    func has(_ byte: UInt8) -> Bool { has(byte, from: 0, to: count) }

    /// Returns the position of the first occurrence of a text, which is not empty, or `nil`.
    func position(of text: [UInt8], from start: Int = 0) -> Int? {
        var at = start
        while at <= count - text.count {
            at = position(of: text[0], from: at, to: count - text.count + 1)
            guard at <= count - text.count else { return nil }
            let isFound = withUnsafeBytes { bytes in
                text.withUnsafeBytes { text in
                    guard let bytes = bytes.baseAddress, let start = text.baseAddress else { return false }
                    return memcmp(bytes + at, start, text.count) == 0
                }
            }
            if isFound { return at }
            at += 1
        }
        return nil
    }
}
