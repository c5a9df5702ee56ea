import ArgumentParser
import Files
import Foundation
import Reports
import Storage
import Synchronization

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports all events, deliveries or replies of an app.",
        discussion: """
            Rows have a stable order, and their first columns are the position in it: batch_id,delivery_id,event_id,\
            occurred_at for events; delivery_id for deliveries; delivery_id,event_id,occurred_at for replies. --after \
            resumes an export after the row at a position. `--after last` takes the position from the last complete row \
            of the file that --out names, removes an incomplete row after it, and appends to the file.

            Example:
              afterpush export events --app shop --out events.csv
              afterpush export events --app shop --out events.csv --after last
              afterpush export replies --app shop --out replies.ndjson \\
                --include-text --from 2026-11-01
            """)

    @Argument(help: "events, deliveries or replies.") var kind: String
    @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
    @Option(name: .customLong("format"), help: "csv or ndjson; by default the extension of --out, else csv.")
    var chosenFormat: String?
    @Option(help: "Start time, inclusive: RFC 3339, or a date. Deliveries are selected by their anchor hour.") var from:
        String?
    @Option(help: "End time, exclusive: RFC 3339, or a date.") var to: String?
    @Option(help: "Time zone of dates in --from and --to.") var tz: String?
    @Option(help: "Resume after this row, or after the last complete row of the file (`last`).") var after: String?
    @Option(help: "File to write to, instead of standard output.") var out: String?
    @Flag(help: "Include the text that people typed.") var includeText = false
    @Flag(help: "CSV: don't escape cells that a spreadsheet could take for formulas.") var raw = false
    @OptionGroup var options: SettingsOptions

    private var format: String { chosenFormat ?? FileFormat.name(of: out) ?? "csv" }

    func validate() throws {
        guard ExportKind(rawValue: kind) != nil else {
            let kinds = ExportKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("the first argument must be one of \(kinds)")
        }
        guard ExportFormat(name: format) != nil else { throw ValidationError("the format must be csv or ndjson") }
        if after == "last", out == nil { throw ValidationError("--after last requires --out, the file to continue") }
    }

    func run() async throws {
        try await CommandRunner.run {
            guard let kind = ExportKind(rawValue: kind) else { return }
            let target = try ExportTarget(kind, values, out: out)
            try await DatabaseSession.run(try await Settings(options)) { session in
                let app = try await session.registry.app(named: app)
                let lastBatch = try await session.registry.lastBatch()
                try await write(target, app, session.exportService, lastBatch: lastBatch)
            }
        }
    }

    private var values: [String: String] {
        [
            "format": format, "from": from, "to": to, "tz": tz, "after": after,
            "include_text": includeText ? "true" : nil, "raw": raw ? "true" : nil,
        ].compactMapValues(\.self)
    }

    private func write(_ target: ExportTarget, _ app: App, _ service: ExportService, lastBatch: Int64) async throws {
        let request = target.request
        let file = try target.open()
        let done = request.after?.fraction(ofBatches: lastBatch) ?? 0
        let isShown = isatty(2) == 1 && (out != nil || isatty(1) == 0)
        let bar = ProgressBar(unit: kind, startFraction: done, isShown: isShown)
        var (rows, position) = (0, request.after)
        do {
            try await service.run(
                request, app: app.id, header: target.needsHeader, into: { try file.write($0) },
                onProgress: { cursor, count in
                    rows += count
                    position = cursor
                    bar.update(fraction: cursor.fraction(ofBatches: lastBatch), count: rows)
                })
            if out != nil { try file.close() }
            bar.finish()
        } catch {
            bar.finish()
            if let position { Terminal.note("afterpush: the export was cut off; resume with --after \(position)") }
            throw error
        }
        let resumption = position.map { "; continue with --after \($0)" } ?? ""
        let singular = ["events": "event", "deliveries": "delivery", "replies": "reply"]
        let unit = rows == 1 ? singular[kind] ?? kind : kind
        Terminal.note("afterpush: \(ProgressLine.grouped(rows)) \(unit)\(resumption)")
    }
}
