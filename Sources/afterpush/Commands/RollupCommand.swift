import ArgumentParser
import Storage

struct RollupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollup",
        abstract: "Verifies and rebuilds the rollups that reports read.",
        discussion: "Example:\n  afterpush rollup verify",
        subcommands: [Verify.self, Rebuild.self])

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compares deliveries with events and rollups with deliveries; fails if they differ.",
            discussion: "Example:\n  afterpush rollup verify")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let differences = try await RollupMaintenance(pool: session.database.owner).verify()
                    for difference in differences { Terminal.print(cells: difference.layer, difference.row) }
                    Terminal.note("afterpush: \(differences.count) differences")
                    if !differences.isEmpty { throw ExitCode(1) }
                }
            }
        }
    }

    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recomputes deliveries from events and rollups from deliveries, while events keep coming in.",
            discussion: "Example:\n  afterpush rollup rebuild")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    try await RollupMaintenance(pool: session.database.owner).rebuild()
                    Terminal.note("afterpush: rebuilt")
                }
            }
        }
    }
}
