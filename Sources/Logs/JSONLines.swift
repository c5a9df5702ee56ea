import Foundation
import Logging

/// `{"ts":"...","level":"info","message":"...","label":"afterpush","name":"value"}`.
enum JSONLines {
    static func text(_ line: LogLine) -> String {
        let time = line.time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        var members = [
            ("ts", string(time)), ("level", string(line.level.rawValue)), ("message", string(line.message)),
            ("label", string(line.label)),
        ]
        // One name can't stand twice: what calls itself like ours goes by another one.
        let own = Set(members.map(\.0))
        for field in line.fields {
            let name = own.contains(field.name) ? "_" + field.name : field.name
            members.append((name, field.isNumber ? field.value : string(field.value)))
        }
        return "{" + members.map { "\(string($0)):\($1)" }.joined(separator: ",") + "}\n"
    }

    private static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where needsEscape(scalar.value):
                quoted += "\\u" + String(scalar.value + 0x1_0000, radix: 16).suffix(4)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Control characters, and what some readers take for the end of a line.
    private static func needsEscape(_ code: UInt32) -> Bool {
        code < 0x20 || (0x7F...0x9F).contains(code) || code == 0x2028 || code == 0x2029
    }
}
