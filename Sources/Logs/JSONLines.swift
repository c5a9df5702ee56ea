import Foundation
import JSON
import Logging

/// The JSON format: `{"ts":"...","level":"info","message":"...","label":"afterpush","name":"value"}`.
enum JSONLines {
    static func text(_ line: LogLine) -> String {
        let time = line.time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        var members = [
            ("ts", string(time)), ("level", string(line.level.rawValue)), ("message", string(line.message)),
            ("label", string(line.label)),
        ]
        // A JSON object must not repeat a name, so a field with the name of a fixed member is renamed.
        let own = Set(members.map(\.0))
        for field in line.fields {
            let name = own.contains(field.name) ? "_" + field.name : field.name
            members.append((name, field.isNumber ? field.value : string(field.value)))
        }
        return "{" + members.map { "\(string($0)):\($1)" }.joined(separator: ",") + "}\n"
    }

    private static func string(_ text: String) -> String {
        let json = JSONText.string(text)
        guard json.unicodeScalars.contains(where: endsLine) else { return json }
        return json.unicodeScalars.map { scalar in
            endsLine(scalar) ? "\\u" + String(scalar.value + 0x1_0000, radix: 16).suffix(4) : String(scalar)
        }.joined()
    }

    /// Whether a character that JSON allows in a string ends a line for some readers.
    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        (0x80...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
