import ArgumentParser

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
