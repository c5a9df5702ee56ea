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
              afterpush report conversion --app shop --by campaign,variant --from 2026-11-01
              afterpush report actions --app shop --out actions.csv
            """)

    @OptionGroup var options: SettingsOptions
    @Argument(help: "The report's name, as `afterpush reports` lists it.") var name: String
    @Option(help: "The app; not needed if there is only one.") var app: String?
    @Option(help: "First anchor hour: RFC 3339, or a date.") var from: String?
    @Option(help: "End of the anchor hours, exclusive: RFC 3339, or a date.") var to: String?
    @Option(help: "Time zone of days, and of dates in --from and --to.") var tz: String?
    @Option(help: "Only this campaign.") var campaign: String?
    @Option(help: "Only this category.") var category: String?
    @Option(help: "Only this variant.") var variant: String?
    @Option(help: "Only this platform.") var platform: String?
    @Option(help: "Groups, at most two: campaign,day.") var by: String?
    @Option(help: "Base of the rates: auto, sent or confirmed.") var base: String?
    @Option(help: "Leave out rates over fewer deliveries than this.") var minN: String?
    @Flag(help: "Count only what verified events show.") var verified = false
    @Option(name: .customLong("set"), help: "Another parameter of the report, as name=value.") var others: [String] = []
    @Option(
        name: .customLong("format"),
        help: "table, csv, json or ndjson; by default the extension of --out, else table.")
    var chosenFormat: String?
    @Flag(help: "CSV: don't escape cells that a spreadsheet could take for formulas.") var raw = false
    @Flag(help: "Table: show all columns.") var wide = false
    @Option(help: "File to write to, instead of standard output.") var out: String?
    @Option(help: "Directory with reports of your own.") var reports: String?

    private var format: String { chosenFormat ?? FileFormat.name(of: out) ?? "table" }

    func validate() throws {
        guard ReportOutput(name: format) != nil else {
            throw ValidationError("--format must be table, csv, json or ndjson")
        }
        guard others.allSatisfy({ $0.contains("=") }) else { throw ValidationError("--set must be name=value") }
    }

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options)
            let catalogue = ReportService.catalogue(directory: reports ?? settings.reportsDirectory, only: name)
            guard let definition = catalogue.reports.first else {
                throw catalogue.problems.first ?? .unknownReport(name: name)
            }
            let parameters = try ReportParameters(validating: values, for: definition)
            try await DatabaseSession.run(settings) { session in
                let app = try await session.registry.app(named: app)
                let service = session.reportService(catalogue: catalogue)
                let result = try await service.run(definition, parameters, app: app.id, name: app.name)
                try await write(result, service)
            }
        }
    }

    private var values: [String: String] {
        let given = [
            "from": from, "to": to, "tz": tz, "campaign": campaign, "category": category, "variant": variant,
            "platform": platform, "by": by, "base": base, "min_n": minN, "verified": verified ? "true" : nil,
        ]
        var values = given.compactMapValues(\.self)
        for other in others {
            let words = other.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(words[0])] = String(words[1])
        }
        return values
    }

    private func write(_ result: ReportResult, _ service: ReportService) async throws {
        if result.isTruncated { Terminal.note("afterpush: the first \(result.rows.count) rows; more are not shown") }
        let output = ReportOutput(name: format, raw: raw) ?? .table
        let writer: any ReportFormat =
            output == .table
            ? TableFormat(wide: wide, color: out == nil && Terminal.isInteractive)
            : try await service.format(output, of: result)
        guard let out else {
            // A file holds what devices sent as it is; a terminal would act on its control characters.
            let isSafe = output == .table || !Terminal.isInteractive
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
