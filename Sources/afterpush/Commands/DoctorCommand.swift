import ArgumentParser
import Logging
import Logs
import Storage

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks database, roles, schema, clocks, disks, rollups and more, and says what to do.",
        discussion: """
            Changes nothing, and works without a running collector. The exit code is 1 if a check fails, but not after \
            warnings only.

            Example:
              afterpush doctor
              afterpush doctor --format json
            """)

    @Option(help: "Directory with reports of your own (AFTERPUSH_REPORTS_DIR).") var reports: String?
    @Option(help: "table or json.") var format = "table"
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard DoctorFormat(rawValue: format) != nil else { throw ValidationError("--format must be table or json") }
    }

    func run() async throws {
        try await CommandRunner.run {
            guard let format = DoctorFormat(rawValue: format) else { return }
            let settings = try await Settings(options)
            // What it looks at is another user's, who could lead root to any file, or have it run his SQL.
            try settings.giveUpPrivileges()
            let output = LogOutput.standardError(settings.logFormat)
            var logger = Logger(label: "afterpush", factory: { LineLogHandler(label: $0, output: output) })
            logger.logLevel = settings.logLevel ?? .warning
            let doctor = Doctor(
                settings: settings, reportsDirectory: reports ?? settings.reportsDirectory, logger: logger)
            let findings = await doctor.findings()
            Terminal.print(format.text(findings, color: Terminal.isInteractive))
            if findings.contains(where: { $0.level == .fail }) { throw ExitCode(1) }
        }
    }
}
