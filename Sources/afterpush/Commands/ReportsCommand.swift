import ArgumentParser
import Reports

struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "Lists the reports, or tells everything about one.",
        discussion: "Example:\n  afterpush reports\n  afterpush reports conversion")

    @Argument(help: "The report to tell about.") var name: String?
    @Option(help: "Directory with reports of your own.") var reports: String?

    func run() async throws {
        try await CommandRunner.run {
            let catalogue = ReportDesk.catalogue(directory: reports)
            for problem in catalogue.problems { Terminal.note("afterpush: \(problem)") }
            if let name {
                Self.tell(try catalogue.report(named: name))
            } else {
                for report in catalogue.reports { Terminal.print("\(report.name)\t\(report.title)") }
            }
        }
    }

    private static func tell(_ report: ReportDefinition) {
        Terminal.print("\(report.title)\n\n\(report.description)\n\nParameters:")
        for parameter in report.parameters {
            let values =
                parameter.kind.permitted.isEmpty ? "" : " (\(parameter.kind.permitted.joined(separator: ", ")))"
            let standard = parameter.defaultValue.isEmpty ? "" : " [\(parameter.defaultValue)]"
            Terminal.print("  \(parameter.name)\(standard): \(parameter.description)\(values)")
        }
        Terminal.print("\nColumns:")
        for column in report.columns {
            let unit = column.unit.map { ", \($0)" } ?? ""
            Terminal.print("  \(column.name) (\(column.kind.rawValue)\(unit)): \(column.description)")
        }
    }
}
