package import Declarations
import JSON
import Reports

extension PayloadCheckResponse {
    /// - Parameter spread: a finding a line, for people; the same values.
    package func json(spread: Bool = false) -> String {
        let lines = findings.map { finding in
            JSONText.object([
                ("severity", JSONText.string(finding.severity.rawValue)),
                ("code", JSONText.string(finding.code.rawValue)), ("detail", JSONText.string(finding.detail)),
            ])
        }
        let (opening, between, closing) = spread ? ("[\n  ", ",\n  ", "\n]") : ("[", ",", "]")
        let text = String(decoding: payload.json, as: UTF8.self)
        return "{\"findings\":" + opening + lines.joined(separator: between) + closing
            + (spread ? ",\n" : ",") + "\"payload\":" + text + "}"
    }
}
