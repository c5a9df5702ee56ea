import Foundation

/// Prometheus' text format, parsed strictly: a warning of `promtool check metrics` is an error here.
package struct MetricsText: Sendable {
    package struct Invalid: Error, CustomStringConvertible {
        package let line: String
        package let reason: String
        package var description: String { "\(reason): \(line)" }
    }

    /// The values by name and labels as written: `afterpush_events_total{outcome="stored"}`.
    package let values: [String: Double]
    package let types: [String: String]

    package init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Invalid(line: String(text.suffix(80)), reason: "no end of line") }
        var reader = Reader()
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            try reader.read(String(line))
        }
        try reader.checkHistograms()
        values = reader.values
        types = reader.types
    }

    package subscript(series: String) -> Double? { values[series] }

    /// The sum of all series of a metric.
    package func sum(of name: String) -> Double {
        values.filter { $0.key == name || $0.key.hasPrefix(name + "{") }.values.reduce(0, +)
    }

    private struct Reader {
        var values: [String: Double] = [:]
        var types: [String: String] = [:]
        private var metricsWithHelp: Set<String> = []
        private var family = ""

        mutating func read(_ line: String) throws {
            func invalid(_ reason: String) -> Invalid { Invalid(line: line, reason: reason) }
            if let match = line.wholeMatch(of: /# HELP ([a-z][a-z0-9_]*) (.+)/) {
                guard metricsWithHelp.insert(String(match.1)).inserted else { throw invalid("help is repeated") }
                family = String(match.1)
            } else if let match = line.wholeMatch(of: /# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram)/) {
                guard String(match.1) == family, types[family] == nil else { throw invalid("a type without its help") }
                types[family] = String(match.2)
                try Self.checkName(family, String(match.2))
            } else {
                try sample(line)
            }
        }

        private mutating func sample(_ line: String) throws {
            let pattern =
                /(([a-z][a-z0-9_]*)(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\})?) (\S+)/
            guard let match = line.wholeMatch(of: pattern), let value = Double(match.4.replacing("+Inf", with: "inf"))
            else { throw Invalid(line: line, reason: "no sample") }
            let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
            guard suffixes.contains(where: { family + $0 == match.2 }) else {
                throw Invalid(line: line, reason: "a sample outside its family")
            }
            guard values.updateValue(value, forKey: String(match.1)) == nil else {
                throw Invalid(line: line, reason: "a series stands twice")
            }
        }

        private static func checkName(_ name: String, _ type: String) throws {
            func invalid(_ reason: String) -> Invalid { Invalid(line: name, reason: reason) }
            if name.hasSuffix("_total") != (type == "counter") {
                throw invalid("_total is for counters, and they have it")
            }
            for ending in ["_count", "_sum", "_bucket"] where name.hasSuffix(ending) {
                throw invalid("reserved ending")
            }
            let units = [
                "milliseconds", "ms", "minutes", "hours", "kilobytes", "megabytes", "kb", "mb", "gauge", "counter",
                "histogram",
            ]
            for word in name.split(separator: "_") where units.contains(String(word)) {
                throw invalid("not a base unit")
            }
        }

        /// Checks that buckets increase and that the last one equals the count.
        func checkHistograms() throws {
            for (name, type) in types where type == "histogram" {
                for (series, count) in values where series == name + "_count" || series.hasPrefix(name + "_count{") {
                    let labels = series.dropFirst(name.count + 6).dropFirst().dropLast()
                    let prefix = name + "_bucket{" + (labels.isEmpty ? "" : labels + ",") + "le=\""
                    let buckets = values.filter { $0.key.hasPrefix(prefix) }.map { key, value in
                        (Double(key.dropFirst(prefix.count).dropLast(2).replacing("+Inf", with: "inf")) ?? .nan, value)
                    }.sorted { $0.0 < $1.0 }.map(\.1)
                    guard buckets.last == count, buckets == buckets.sorted(),
                        values[name + "_sum" + series.dropFirst(name.count + 6)] != nil
                    else { throw Invalid(line: series, reason: "buckets don't add up") }
                }
            }
        }
    }
}
