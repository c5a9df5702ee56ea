extension String {
    /// Decodes a text of a client leniently: invalid UTF-8 becomes U+FFFD, and of more than 128 combining marks in a row,
    /// the rest is left out.
    package init(lenient bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        self = text.hasManyCombiningMarks ? text.withoutManyCombiningMarks : text
    }

    /// The combining marks in a row that are kept. A text of 256 bytes, as most limits are, can't have more.
    private static let combiningMarks = 128

    /// Whether the text has more than 128 combining marks in a row.
    ///
    /// To compare or hash a text, Swift sorts the marks of each of its characters, in a time that is the square of their
    /// number: two comparisons of a text of 30 KB can take a second. So no such text may get past the places where text
    /// of clients is decoded.
    package var hasManyCombiningMarks: Bool {
        // The first combining mark is U+0300, which begins with the byte CC.
        guard utf8.count > 2 * Self.combiningMarks, utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var count = 0
        for scalar in unicodeScalars {
            count = scalar.isCombiningMark ? count + 1 : 0
            if count > Self.combiningMarks { return true }
        }
        return false
    }

    /// The text with the first 128 of the combining marks in each row.
    package var withoutManyCombiningMarks: String {
        var count = 0
        return String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    count = scalar.isCombiningMark ? count + 1 : 0
                    return count <= Self.combiningMarks
                }))
    }
}

extension JSONText {
    /// Whether a string or a name within a JSON text has more than 128 combining marks in a row.
    package static func hasManyCombiningMarks(_ json: [UInt8]) -> Bool {
        String(decoding: unescape(json, json.indices), as: UTF8.self).hasManyCombiningMarks
    }
}

extension Unicode.Scalar {
    fileprivate var isCombiningMark: Bool { value >= 0x300 && properties.canonicalCombiningClass != .notReordered }
}
