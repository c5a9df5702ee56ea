import ArgumentParser
import Foundation
import Reports

struct ReportsNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes a commented, working example report for you to change.",
        discussion: "Example:\n  afterpush reports new late-night --reports my-reports")

    @OptionGroup var options: SettingsOptions
    @Argument(help: "The report's name: lower-case letters, digits, - and _.") var name: String
    @Option(help: "Directory with reports of your own (AFTERPUSH_REPORTS_DIR).") var reports: String?

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
