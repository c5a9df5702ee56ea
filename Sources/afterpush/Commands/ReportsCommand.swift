import ArgumentParser
import Foundation
import Reports

struct ReportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports",
        abstract: "Lists and describes reports, and creates one of your own.",
        discussion: """
            Example:
              afterpush reports
              afterpush reports conversion
              afterpush reports --define conversion_rate
              afterpush reports new late-night --reports my-reports
            """,
        subcommands: [ReportsShowCommand.self, ReportsNewCommand.self], defaultSubcommand: ReportsShowCommand.self)
}

struct ReportsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Lists the reports, or describes one.",
        discussion: "Example:\n  afterpush reports conversion")

    @Argument(help: "The report to describe.", completion: .reports) var name: String?
    @Option(help: "Directory with reports of your own (AFTERPUSH_REPORTS_DIR).") var reports: String?
    @Option(help: "A column to define: conversion_rate, or timeseries.opened.") var define: String?
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options)
            let catalogue = ReportService.catalogue(directory: reports ?? settings.reportsDirectory)
            for problem in catalogue.problems { Terminal.note("afterpush: \(problem)") }
            if let define {
                try await DatabaseSession.run(settings) { session in
                    let found = try await session.reportService(catalogue: catalogue).definitions(named: define)
                    guard !found.isEmpty else { throw ValidationError("no report has a column named \(define)") }
                    for definition in found { Self.describe(definition) }
                }
            } else if let name {
                Self.describe(try catalogue.report(named: name))
            } else {
                var table = ListTable("report", "title", "what it shows")
                for report in catalogue.reports {
                    table.append(report.name, report.title, Self.firstSentence(report.description))
                }
                table.print()
            }
        }
    }

    private static func firstSentence(_ text: String) -> String {
        text.firstRange(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
    }

    private static func describe(_ definition: MetricDefinition) {
        Terminal.print("\(definition.name) (\(definition.unit)): \(definition.text)")
        if let numerator = definition.numerator, let denominator = definition.denominator {
            Terminal.print("  \(numerator) / \(denominator)")
        }
        if let window = definition.window { Terminal.print("  of: \(window)") }
    }

    private static func describe(_ report: ReportDefinition) {
        Terminal.print("\(report.title)\n\n\(report.description)\n\nParameters:")
        for parameter in report.parameters {
            let values =
                parameter.kind.permitted.isEmpty ? "" : " (\(parameter.kind.permitted.joined(separator: ", ")))"
            let defaultText = parameter.defaultValue.isEmpty ? "" : " [\(parameter.defaultValue)]"
            Terminal.print("  \(parameter.name)\(defaultText): \(parameter.description)\(values)")
        }
        Terminal.print("\nColumns:")
        for column in report.columns {
            let unit = column.unit.map { ", \($0)" } ?? ""
            Terminal.print("  \(column.name) (\(column.kind.rawValue)\(unit)): \(column.description)")
        }
    }
}

struct ReportsNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes a commented, working example report for you to change.",
        discussion: "Example:\n  afterpush reports new late-night --reports my-reports")

    @Argument(help: "The report's name: lower-case letters, digits, - and _.") var name: String
    @Option(help: "Directory with reports of your own (AFTERPUSH_REPORTS_DIR).") var reports: String?
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard ReportTemplate.isName(name) else {
            throw ValidationError(
                "a report's name must begin with a lower-case letter and consist of lower-case letters, digits, - and _"
            )
        }
    }

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options)
            guard let directory = reports ?? settings.reportsDirectory else {
                throw ValidationError("name the directory of your own reports: --reports DIR")
            }
            guard (try? ReportService.catalogue(only: name).report(named: name)) == nil else {
                throw ValidationError("a built-in report is named \(name)")
            }
            let path = URL(filePath: directory, directoryHint: .isDirectory).appending(path: "\(name).sql")
            let title = name.replacing("-", with: " ").replacing("_", with: " ")
            let text = ReportTemplate.text(title: title.prefix(1).uppercased() + title.dropFirst())
            do {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: path, options: .withoutOverwriting)
            } catch CocoaError.fileWriteFileExists {
                throw ValidationError("\(path.relativePath) exists already")
            }
            Terminal.print(path.relativePath)
        }
    }
}
