import AfterpushWire
import Foundation
import Postgres
import SQLFiles

/// A validated request for an export: the rows and their format.
///
/// Only the validating initializer creates one. Parameters have the same names over HTTP and on the command line.
package struct ExportRequest: Sendable {
    package let kind: ExportKind
    package let format: ExportFormat
    package let columns: [ExportColumn]
    /// The row after which the export resumes, or `nil` for an export from the start.
    package let after: ExportCursor?
    let from: String
    private let to: String
    /// The bounds of the devices' times.
    private var deviceTimes = (from: "-infinity", to: "infinity")
    /// The name of a transaction's snapshot in which all rows are read, or nil to read what is stored by then.
    private(set) var snapshot: String?

    /// Validates the parameters of a request.
    ///
    /// - Parameter given: The parameters `format`, `from`, `to`, `tz`, `after`, `include_text` and `raw`; an empty
    ///   value counts as absent.
    /// - Throws: `ReportError.parameter`
    package init(_ kind: ExportKind, _ given: [String: String]) throws(ReportError) {
        self.kind = kind
        let given = given.filter { !$0.value.isEmpty }
        let known = ["format", "from", "to", "tz", "after", "raw"] + (kind.hasText ? ["include_text"] : [])
        if let unknown = given.keys.sorted().first(where: { !known.contains($0) }) {
            let names = known.joined(separator: ", ")
            throw .parameter(
                name: unknown, detail: "is not a parameter of the export \(kind.rawValue), which has \(names)")
        }
        let raw = try Self.flag("raw", given)
        guard let format = ExportFormat(name: given["format"] ?? "csv", raw: raw) else {
            throw .parameter(name: "format", detail: "must be csv or ndjson")
        }
        self.format = format
        columns = kind.columns(text: try Self.flag("include_text", given))
        after = try given["after"].map { text throws(ReportError) in try Self.cursor(text, kind) }
        (from, to) = try Self.times(given)
    }

    /// Creates a request, as NDJSON, for the events of a month that occurred before a time.
    ///
    /// - Parameters:
    ///   - month: The start and the end of the month, which is that of the devices' times.
    ///   - end: The end of the events' corrected times.
    ///   - snapshot: The name of the snapshot of the primary server in which they are read.
    ///   - text: Whether to include typed text.
    package init(eventsOf month: (start: String, end: String), before end: String, in snapshot: String, text: Bool) {
        kind = .events
        format = .ndjson
        columns = kind.columns(text: text)
        after = nil
        (from, to) = ("-infinity", end)
        deviceTimes = (from: month.start, to: month.end)
        self.snapshot = snapshot
    }

    /// The text before the first row.
    package var header: [UInt8] { RowWriter(format, columns).header }

    /// The bytes with which every complete file of this export begins.
    package var beginning: [UInt8] {
        header.isEmpty ? columns.prefix(1).flatMap { Array("{\"\($0.name)\":".utf8) } : header
    }

    /// Returns the COPY statement for at most this many rows after a cursor.
    func statement(after place: ExportCursor?, limit: Int) -> String {
        var values = (place ?? .start(of: kind)).values
        values += [("from", from), ("to", to), ("limit", String(limit))]
        values += [("device_from", deviceTimes.from), ("device_to", deviceTimes.to)]
        var sql = kind.statement.text
        for (name, value) in values { sql = sql.replacing(":'\(name)'", with: SQLText.literal(value)) }
        let names = columns.map { SQLText.identifier($0.name) }.joined(separator: ", ")
        return "copy (select \(names) from (\n\(sql)\n) as export) to stdout"
    }

    private static func flag(_ name: String, _ given: [String: String]) throws(ReportError) -> Bool {
        guard let value = given[name] else { return false }
        guard value == "true" || value == "false" else { throw .parameter(name: name, detail: "must be true or false") }
        return value == "true"
    }

    private static func cursor(_ text: String, _ kind: ExportKind) throws(ReportError) -> ExportCursor {
        guard let cursor = ExportCursor(text, of: kind) else {
            let names = kind.columns(text: false).prefix(kind.cursorColumns).map(\.name).joined(separator: ",")
            throw .parameter(name: "after", detail: "must be \(names) of the last row, separated by commas")
        }
        return cursor
    }

    private static func times(_ given: [String: String]) throws(ReportError) -> (from: String, to: String) {
        guard let zone = ReportParameter.zone(given["tz"] ?? "UTC") else {
            throw .parameter(name: "tz", detail: "must be the name of a time zone, like Europe/Berlin")
        }
        var times: [String: AfterpushWire.Timestamp] = [:]
        for name in ["from", "to"] {
            guard let text = given[name] else { continue }
            guard let time = ReportTime.read(text, zone: zone) else {
                throw .parameter(name: name, detail: ReportTime.expectation)
            }
            times[name] = time
        }
        if let from = times["from"], let to = times["to"], from > to {
            throw .parameter(name: "to", detail: "is before from")
        }
        return (times["from"]?.description ?? "-infinity", times["to"]?.description ?? "infinity")
    }
}
