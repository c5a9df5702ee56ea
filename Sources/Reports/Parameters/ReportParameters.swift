import AfterpushWire
import Foundation

/// The values for a run of a report: those of the request, otherwise the defaults of the head.
///
/// Only the validating initializer creates one. Times are RFC 3339 in UTC, so that a run over HTTP and one with psql
/// bind the same instant. psql itself accepts everything that PostgreSQL reads as a time, and interprets a time or date
/// without an offset in the session's zone (`PGTZ`), not in the report's `tz`.
package struct ReportParameters: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let parameter: ReportParameter
        /// The value for the statement; empty for no value.
        package let value: String
    }

    /// The values in the order of the head.
    package let entries: [Entry]

    package init(validating given: [String: String], for definition: ReportDefinition) throws(ReportError) {
        let known = definition.parameters.map(\.name)
        let ignorable = Self.ignorable.filter { !known.contains($0.name) }
        if let unknown = given.keys.sorted().first(where: { !(known + ignorable.map(\.name)).contains($0) }) {
            let names = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
            throw .parameter(
                name: unknown,
                detail: "is not a parameter of the report \(definition.name)\(Suggestion.text(for: unknown, in: known))"
                    + (Suggestion.nearest(to: unknown, in: known) == nil ? ", which has \(names)" : ""))
        }
        let zone = try Self.zone(given, definition)
        var entries: [Entry] = []
        for parameter in definition.parameters {
            let asked = given[parameter.name] ?? ""
            let value = asked.isEmpty ? parameter.defaultValue : asked
            entries.append(Entry(parameter: parameter, value: try Self.validated(parameter, value, zone)))
        }
        self.entries = entries
        for parameter in ignorable { _ = try Self.validated(parameter, given[parameter.name] ?? "", zone) }
        try checkOrder(zone)
        if definition.isBuiltIn { try checkCombinations() }
    }

    /// The parameters that every report accepts, even one without rates, where they change nothing.
    private static let ignorable = [
        ReportParameter(name: "base", kind: .choice(["auto", "sent", "confirmed"]), defaultValue: "", description: ""),
        ReportParameter(name: "min_n", kind: .integer(1 ... .max), defaultValue: "", description: ""),
    ]

    /// The values for the statement by name.
    package var byName: [String: String] {
        Dictionary(entries.map { ($0.parameter.name, $0.value) }) { _, last in last }
    }

    package subscript(name: String) -> String? {
        entries.first { $0.parameter.name == name }?.value
    }

    private static func zone(
        _ given: [String: String], _ definition: ReportDefinition
    ) throws(ReportError) -> TimeZone {
        guard let parameter = definition.parameters.first(where: { $0.kind == .zone }) else { return .gmt }
        let asked = given[parameter.name] ?? ""
        let name = try validated(parameter, asked.isEmpty ? parameter.defaultValue : asked, .gmt)
        return ReportParameter.zone(name) ?? .gmt
    }

    private static func validated(
        _ parameter: ReportParameter, _ value: String, _ zone: TimeZone
    ) throws(ReportError) -> String {
        switch parameter.validated(value, zone: zone) {
        case .success(let value): return value
        case .failure(let problem): throw .parameter(name: parameter.name, detail: problem.detail)
        }
    }

    /// Refuses what the built-in reports can't combine.
    private func checkCombinations() throws(ReportError) {
        let groups = (self["by"] ?? "").split(separator: ",")
        // Deliveries are counted by device bucket for whole days only, and not by version.
        if self["cluster"] == "device", groups.contains("hour") || groups.contains("app_version") {
            throw .parameter(name: "cluster", detail: "can't be device by hour or app_version")
        }
        if self["cluster"] == "device", self["app_version"]?.isEmpty == false {
            throw .parameter(name: "cluster", detail: "can't be device with app_version")
        }
        if self["curve"] == "true", !groups.isEmpty {
            throw .parameter(name: "by", detail: "can't be given with curve=true")
        }
    }

    private func checkOrder(_ zone: TimeZone) throws(ReportError) {
        guard let from = ReportTime.read(self["from"] ?? "", zone: zone),
            let to = ReportTime.read(self["to"] ?? "", zone: zone), from > to
        else { return }
        throw .parameter(name: "to", detail: "is before from")
    }
}
