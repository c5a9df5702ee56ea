import ArgumentParser
import Foundation
import LocalPostgres
import Logging

struct UpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Upgrades the program's own cluster to a newer major version of PostgreSQL.",
        discussion: """
            Stop `serve` first, and take a backup. Nothing is copied, so it takes seconds. Interrupted at any point, it \
            leaves the old cluster or the new one.

            Example:
              afterpush upgrade --check
              afterpush upgrade
            """)

    @Option(help: "The major version, such as 17; by default the newest that is installed.") var to: String?
    @Option(help: "Directory of the new version's programs, if it is not below /usr/lib/postgresql.") var bin: String?
    @Flag(help: "Only check whether the cluster can be upgraded.") var check = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options)
            guard settings.databaseURL == nil else {
                throw ValidationError("this upgrades the program's own cluster: name it with --data-dir alone")
            }
            try settings.giveUpPrivileges()
            let start = ContinuousClock.now
            let upgraded = try await LocalCluster.upgrade(
                settings.cluster, to: to, programs: bin, checking: check,
                logger: settings.logger(defaultLevel: .warning)
            ) { Terminal.note("afterpush: \($0)") }
            if check {
                Terminal.note("afterpush: PostgreSQL \(upgraded.from) can be upgraded to \(upgraded.to)")
                return
            }
            Terminal.print(cells: "PostgreSQL \(upgraded.from)", "PostgreSQL \(upgraded.to)")
            Terminal.note(
                "afterpush: upgraded after \(seconds(since: start)) s; older backups need PostgreSQL \(upgraded.from), so "
                    + "take a new one")
            if bin != nil {
                Terminal.note("afterpush: set AFTERPUSH_POSTGRES_BIN=\(upgraded.programs) from now on")
            }
        }
    }
}
