/// A cell of text in a CSV file.
package enum CSVText {
    /// The text as a quoted field.
    ///
    /// Unless `raw`, a text that a spreadsheet could take for a formula gets one `'` in front, and so does one that begins
    /// with `'` already: removing one leading `'` from every cell that has one restores the stored text.
    package static func field(_ text: String, raw: Bool) -> String {
        var field = "\""
        field.reserveCapacity(text.utf8.count + 3)
        if !raw, couldBeFormula(text) { field += "'" }
        // By scalars: a quote can be part of a larger character, such as a quote with an accent on it.
        for scalar in text.unicodeScalars {
            if scalar == "\"" { field.unicodeScalars.append("\"") }
            field.unicodeScalars.append(scalar)
        }
        field.unicodeScalars.append("\"")
        return field
    }

    /// Whether the text begins like a formula, directly or behind what an import may strip or split at.
    package static func couldBeFormula(_ text: String) -> Bool {
        if text.unicodeScalars.first == "'" { return true }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
            case ",", ";", " ", "\"", "'", "|": continue
            case _ where scalar.properties.isWhitespace || scalar.properties.generalCategory == .format: continue
            default: return false
            }
        }
        return false
    }
}
