extension MetricFamily {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns the families in Prometheus' text format. A family without series is omitted.
    package static func text(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty { family.write(to: &text) }
        return text
    }

    private func write(to text: inout String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
        text += "# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += name + sample.suffix
            if !sample.labels.isEmpty {
                let pairs = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
                text += "{\(pairs.joined(separator: ","))}"
            }
            text += " \(Self.number(sample.value))\n"
        }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Formats a number: without a fraction if it is whole, otherwise with as few digits as represent it exactly.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
