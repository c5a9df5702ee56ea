import Foundation
import Logging

/// The text format: `2026-11-20 10:00:00.123 info     message  name=value`, with a coloured level on a terminal.
enum TextLines {
    static func text(_ line: LogLine, colored: Bool) -> String {
        let level = line.level.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
        let fields = line.fields.map { "\(printable($0.name))=\(value($0.value))" }
        let words = [
            time(line.time), colored ? color(line.level) + level + "\u{1B}[0m" : level,
            printable(line.message) + (fields.isEmpty ? "" : "  " + fields.joined(separator: " ")),
        ]
        return words.joined(separator: " ") + "\n"
    }

    private static func time(_ time: Date) -> String {
        String(
            time.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, includingFractionalSeconds: true))
                .dropLast())
    }

    /// Returns the value, in quotes if it is empty or has characters other than plain ASCII.
    private static func value(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != 34 && $0 != 61 && $0 != 92 }
        return isPlain
            ? text : "\"" + printable(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")) + "\""
    }

    /// Escapes characters that end a line, move the cursor, or change the direction of text.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case _ where isUnprintable(scalar): "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }.joined()
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    private static func color(_ level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: "\u{1B}[2m"
        case .info: "\u{1B}[32m"
        case .notice: "\u{1B}[36m"
        case .warning: "\u{1B}[33m"
        case .error, .critical: "\u{1B}[31m"
        }
    }
}
