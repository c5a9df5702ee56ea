/// Makes text from outside safe for a terminal: without control characters and without marks that reorder text.
package enum TerminalText {
    package static func visible(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x00..<0x20: visible.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: visible.append("\u{2421}")
            case _ where hasEffect(scalar): visible.append("\u{FFFD}")
            default: visible.append(scalar)
            }
        }
        return String(visible)
    }

    /// Returns the same JSON with escape sequences for what a terminal would obey.
    package static func escaped(json: String) -> String {
        // Outside of strings there are none of them but white space, and strings have no other control characters.
        guard json.unicodeScalars.contains(where: hasEffect) else { return json }
        return json.unicodeScalars.reduce(into: "") { escaped, scalar in
            if hasEffect(scalar) {
                let digits = String(scalar.value, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a character beyond ASCII, or DEL, controls a terminal, ends a line, or reorders the text around it.
    private static func hasEffect(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7F..<0xA0, 0x2028, 0x2029: true
        // Direction marks and overrides would reorder neighbouring cells.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The number of columns that a text takes.
    package static func width(_ text: String) -> Int { DisplayWidth.of(text) }

    /// Divides a text into lines between its words; a word that is too long has a line of its own.
    package static func wrapped(_ text: String, to width: Int) -> [String] {
        let lines = text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(String(word)) <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.isEmpty ? [""] : lines
    }
}

/// Measures texts in columns of a terminal.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// Returns a text truncated to `width` columns, with an ellipsis if anything was removed.
    static func clip(_ text: String, to width: Int) -> String {
        guard of(text) > width else { return text }
        var clipped = ""
        var used = 1
        for character in text {
            used += of(character)
            guard used <= width else { break }
            clipped.append(character)
        }
        return clipped + "…"
    }

    private static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if scalars.contains("\u{FE0F}") { return 2 }
        return scalars.reduce(0) { max($0, of($1)) }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return scalar.properties.isEmojiPresentation || isEastAsianWide(scalar.value) ? 2 : 1
        }
    }

    private static func isEastAsianWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
