/// Writes texts as cells of a CSV file.
package enum CSVText {
    /// Returns a text as a quoted field.
    ///
    /// Unless `raw`, a text that a spreadsheet could treat as a formula is prefixed with `'`, and so is a text that
    /// already begins with `'`. Removing one leading `'` from every cell that has one therefore restores the text.
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

    /// Whether a text begins like a formula, directly or after characters that an import might strip or split at.
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
