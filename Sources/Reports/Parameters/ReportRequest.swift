package import Foundation

/// What a request for a report says: the report's own parameters, and what is the same for all reports.
///
/// A report that declares a parameter with one of the common names, such as `limit`, keeps it for itself.
package struct ReportRequest: Sendable {
    package let parameters: ReportParameters
    package let view: ReportView
    package let output: ReportOutput

    /// The names of the parameters that are the same for all reports.
    package static let commonNames = [
        "period", "sort", "limit", "columns", "format", "raw", "delimiter", "decimal", "bom",
    ]

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - given: All values by name.
    ///   - format: The name of the format, if the request names none.
    ///   - formats: The names of the formats that are offered.
    ///   - now: The moment at which a period ends.
    package init(
        _ given: [String: String], for definition: ReportDefinition, format: String, formats: [String],
        now: Date = Date()
    ) throws(ReportError) {
        var values = given
        var common: [String: String] = [:]
        let own = Set(definition.parameters.map(\.name))
        for name in Self.commonNames where !own.contains(name) {
            common[name] = values.removeValue(forKey: name)
        }
        if let period = common["period"], !period.isEmpty {
            try Self.replace(period, in: &values, definition, now)
        }
        parameters = try ReportParameters(validating: values, for: definition)
        view = try ReportView(
            sort: common["sort"], limit: common["limit"], columns: common["columns"], of: definition)
        output = try Self.output(common, format, formats)
    }

    private static func replace(
        _ period: String, in values: inout [String: String], _ definition: ReportDefinition, _ now: Date
    ) throws(ReportError) {
        guard let known = ReportPeriod(period) else {
            throw .parameter(name: "period", detail: "must be \(ReportPeriod.forms)")
        }
        guard (values["from"] ?? "").isEmpty, (values["to"] ?? "").isEmpty else {
            throw .parameter(name: "period", detail: "can't be used together with from or to")
        }
        let names = definition.parameters.map(\.name)
        guard names.contains("from"), names.contains("to") else {
            throw .parameter(
                name: "period", detail: "can't be used with the report \(definition.name), which has no from and to")
        }
        let zone = values["tz"].flatMap { ReportParameter.zone($0) } ?? .gmt
        (values["from"], values["to"]) = known.bounds(at: now, in: zone)
    }

    private static func output(
        _ common: [String: String], _ format: String, _ formats: [String]
    ) throws(ReportError) -> ReportOutput {
        var dialect = CSVDialect()
        dialect.raw = try flag("raw", common)
        dialect.hasByteOrderMark = try flag("bom", common)
        if let text = common["delimiter"] {
            guard let delimiter = CSVDialect.Delimiter(text) else {
                throw .parameter(name: "delimiter", detail: "must be comma, semicolon or tab")
            }
            dialect.delimiter = delimiter
        }
        if let text = common["decimal"] {
            guard let decimal = CSVDialect.Decimal(text) else {
                throw .parameter(name: "decimal", detail: "must be point or comma")
            }
            dialect.decimal = decimal
        }
        guard dialect.decimal == .point || dialect.delimiter != .comma else {
            throw .parameter(name: "decimal", detail: "can only be comma if delimiter is semicolon or tab")
        }
        let name = common["format"] ?? format
        guard formats.contains(name), let output = ReportOutput(name: name, dialect: dialect) else {
            throw .parameter(
                name: "format", detail: "must be one of \(formats.joined(separator: ", "))")
        }
        return output
    }

    private static func flag(_ name: String, _ common: [String: String]) throws(ReportError) -> Bool {
        switch common[name] {
        case "true": return true
        case "false", nil: return false
        default: throw .parameter(name: name, detail: "must be true or false")
        }
    }
}
