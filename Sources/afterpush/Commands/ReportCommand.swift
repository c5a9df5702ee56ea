import ArgumentParser
import Files
import Foundation
import Reports
import Storage

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Runs a report.",
        discussion: """
            Example:
              afterpush report conversion --app shop --by campaign --from 2026-11-01
              afterpush report actions --app shop --out actions.csv
            """)

    @Argument(help: "The report's name, as `afterpush reports` lists it.", completion: .reports) var name: String
    @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
    @Option(help: "First anchor hour: RFC 3339, or a date.") var from: String?
    @Option(help: "End of the anchor hours, exclusive: RFC 3339, or a date.") var to: String?
    @Option(help: "Time zone of days, and of dates in --from and --to.") var tz: String?
    @Option(help: "Only this campaign.") var campaign: String?
    @Option(help: "Only this category.") var category: String?
    @Option(help: "Only this variant.") var variant: String?
    @Option(help: "Only this platform.") var platform: String?
    @Option(help: "Only this version of the app.") var appVersion: String?
    @Option(help: "Groups, at most two: campaign,day.") var by: String?
    @Option(help: "Base of the rates: auto, sent or confirmed.", completion: .list(["auto", "sent", "confirmed"]))
    var base: String?
    @Option(help: "Leave out rates over fewer deliveries than this.") var minN: String?
    @Flag(help: "Count only what verified events show.") var verified = false
    @Option(name: .customLong("set"), help: "Another parameter of the report, as name=value.") var others: [String] = []
    @Option(
        help: "Instead of --from and --to: 7d, 24h, today, yesterday, month, last-month or all.", completion: .periods)
    var period: String?
    @Option(help: "Order of the rows: columns, with :desc for the highest first, such as conversion_rate:desc.")
    var sort: String?
    @Option(help: "Only the first rows, in that order.") var limit: String?
    @Option(help: "Only these columns, in this order: campaign_id,conversion_rate.") var columns: String?
    @Option(
        name: .customLong("format"),
        help: "table, csv, json, ndjson, markdown, html or xlsx; by default the extension of --out, else table.",
        completion: .formats)
    var chosenFormat: String?
    @Flag(help: "CSV: don't escape cells that a spreadsheet could take for formulas.") var raw = false
    @Option(help: "CSV: comma, semicolon or tab.", completion: .list(["comma", "semicolon", "tab"])) var delimiter:
        String?
    @Option(help: "CSV: the decimal sign of numbers, point or comma.") var decimal: String?
    @Flag(help: "CSV: begin with a byte order mark, by which Excel recognizes UTF-8.") var bom = false
    @Flag(help: "Table: show all columns.") var wide = false
    @Option(help: "Run again every so many seconds, until Ctrl-C.") var watch: Int?
    @Option(help: "File to write to, instead of standard output.", completion: .file()) var out: String?
    @Option(help: "Directory with reports of your own.") var reports: String?
    @OptionGroup var options: SettingsOptions

    private var format: String { chosenFormat ?? FileFormat.name(of: out) ?? "table" }

    func validate() throws {
        guard ReportOutput.names.contains(format) else {
            throw ValidationError("--format must be \(ReportOutput.names.joined(separator: ", "))")
        }
        if chosenFormat == nil, let ending = FileFormat.unknownEnding(of: out) {
            throw ValidationError(
                "--out ends in .\(ending), which is not the ending of a format: name the format with --format")
        }
        guard others.allSatisfy({ $0.contains("=") }) else { throw ValidationError("--set must be name=value") }
        if format == "xlsx", out == nil, Terminal.isInteractive {
            throw ValidationError("xlsx is no text: name a file with --out")
        }
        if let watch {
            guard watch > 0 else { throw ValidationError("--watch must be a number of seconds of at least 1") }
            guard out == nil else { throw ValidationError("--watch can't be used with --out") }
        }
    }

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options)
            let directory = reports ?? settings.reportsDirectory
            let catalogue = ReportService.catalogue(directory: directory, only: name)
            guard let definition = catalogue.reports.first else {
                if let problem = catalogue.problems.first { throw problem }
                // Throws the error that names the nearest.
                _ = try ReportService.catalogue(directory: directory).report(named: name)
                return
            }
            // Checks the command line before it connects.
            _ = try request(definition)
            try await DatabaseSession.run(settings) { session in
                let app = try await session.registry.app(named: app)
                let service = session.reportService(catalogue: catalogue)
                while true {
                    let request = try request(definition)
                    let result = request.view.of(
                        try await service.run(definition, request.parameters, app: app.id, name: app.name),
                        for: request.output)
                    let waiting = try await RollupMaintenance(pool: session.database.owner).waitingBatches()
                    try await write(result, request.output, waiting: waiting, service)
                    guard let watch else { break }
                    try await Task.sleep(for: .seconds(watch))
                }
            }
        }
    }

    private func request(_ definition: ReportDefinition) throws -> ReportRequest {
        let given = [
            "from": from, "to": to, "tz": tz, "campaign": campaign, "category": category, "variant": variant,
            "platform": platform, "app_version": appVersion, "by": by, "base": base, "min_n": minN,
            "verified": verified ? "true" : nil,
            "period": period, "sort": sort, "limit": limit, "columns": columns, "delimiter": delimiter,
            "decimal": decimal, "bom": bom ? "true" : nil, "raw": raw ? "true" : nil,
        ]
        var values = given.compactMapValues(\.self)
        for other in others {
            let words = other.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(words[0])] = String(words[1])
        }
        return try ReportRequest(values, for: definition, format: format, formats: ReportOutput.names)
    }

    /// Writes the result where the options say.
    ///
    /// - Parameter waiting: The number of batches of events that no report counts yet.
    private func write(
        _ result: ReportResult, _ output: ReportOutput, waiting: Int64, _ service: ReportService
    ) async throws {
        let note =
            waiting == 0
            ? nil
            : "\(waiting) \(waiting == 1 ? "batch" : "batches") of events not counted yet: run it again in a moment"
        if output != .table {
            if result.isTruncated {
                Terminal.note("afterpush: the first \(result.rows.count) rows; more are not shown")
            }
            if let note { Terminal.note("afterpush: \(note)") }
        }
        let isTerminal = out == nil && Terminal.isInteractive
        let writer: any ReportFormat =
            output == .table
            ? TableFormat(
                wide: wide, isTerminal: isTerminal, width: Terminal.width, notes: note.map { [$0] } ?? [])
            : try await service.format(output, of: result)
        if watch != nil, isTerminal { Terminal.clear() }
        guard let out else {
            // A file holds what devices sent as it is; a terminal would act on its control characters.
            let isSafe = output == .table || output.isBinary || !Terminal.isInteractive
            try await writer.write(result) { isSafe ? Terminal.write($0) : Terminal.show($0) }
            if output == .json || output == .table { Terminal.print("") }
            return
        }
        // A pipe or a device such as /dev/stdout can't be replaced by a file.
        let kind = try? FileManager.default.attributesOfItem(atPath: out)[.type] as? FileAttributeType
        if let kind, kind != .typeRegular {
            let file = try OutputFile(path: out)
            try await writer.write(result) { try file.write($0) }
            return try file.close()
        }
        let file = try OutputFile(publishing: out)
        do {
            try await writer.write(result) { try file.write($0) }
            try file.publish()
        } catch {
            file.discard()
            throw error
        }
    }
}
