/// Text from the database or of names made safe for a terminal: nothing in it moves the cursor, rings, colours or reorders.
package enum TerminalText {
    package static func visible(_ text: String) -> String {
        var visible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x00..<0x20: visible.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: visible.append("\u{2421}")
            case 0x80..<0xA0, 0x2028, 0x2029: visible.append("\u{FFFD}")
            // Direction marks and overrides would reorder neighbouring cells.
            case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: visible.append("\u{FFFD}")
            default: visible.append(scalar)
            }
        }
        return String(visible)
    }
}
