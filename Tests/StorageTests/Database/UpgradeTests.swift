import Foundation
import SQLFiles
import Storage
import TestSupport
import Testing

/// Tests the upgrade of databases of released versions, which `scripts/dump-release` wrote, to the present schema.
@Suite struct UpgradeTests {
    private static let folder = Program.root.appending(path: "Tests/Released")

    static var versions: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { FileManager.default.fileExists(atPath: folder.path + "/\($0)/database.sql.gz") }.sorted()
    }

    private static func shell(_ command: String, _ conninfo: String) async throws -> String {
        let output = try await Program.run(
            ["-euo", "pipefail", "-c", command], program: URL(filePath: "/bin/bash"),
            environment: ["DATABASE": conninfo])
        guard output.status == 0 else { throw Program.Failed(message: output.error) }
        return output.output
    }

    @Test func `there is a database of each released version`() {
        #expect(!Self.versions.isEmpty)
    }

    @Test(arguments: versions)
    func `a database of a released version is upgraded, and its reports stay the same`(version: String) async throws {
        let folder = Self.folder.appending(path: version)
        let conninfo = try await TestCluster.database(empty: true)
        _ = try await Self.shell(
            "gunzip -c '\(folder.path)/database.sql.gz' | psql -X -q -v ON_ERROR_STOP=1 -d \"$DATABASE\"", conninfo)
        // pg_dump changes the parentheses of some function bodies. Without checksums all functions are installed again.
        try await TestCluster.script("delete from afterpush.installed_definitions", on: conninfo)
        let migrated = try await Program.run(
            ["migrate"], environment: ["AFTERPUSH_DATABASE_URL": conninfo])
        #expect(migrated.status == 0, "\(migrated.error)")
        let differences = try await Self.shell(
            "psql -XAtqd \"$DATABASE\" -c 'select * from afterpush.rollup_verify()'", conninfo)
        #expect(differences.isEmpty, "\(differences.prefix(2_000))")
        for report in ["conversion", "actions", "funnel", "experiment"] {
            let csv = try await Program.psql(
                conninfo, file: Program.root.appending(path: "sql/reports/\(report).sql").path,
                variables: ["app": "demo", "by": "campaign"])
            let kept = try String(contentsOf: folder.appending(path: "\(report).csv"), encoding: .utf8)
            #expect(csv == kept, "\(report)")
        }
        let schema = try await Self.shell("'\(Program.root.path)/scripts/schema-snapshot' \"$DATABASE\"", conninfo)
        let fresh = try await Self.shell(
            "'\(Program.root.path)/scripts/schema-snapshot' \"$DATABASE\"", try await TestCluster.database())
        // A table that a migration altered has its columns in another order than a new table, so lines are sorted.
        func sorted(_ text: String) -> [Substring] { text.split(separator: "\n").sorted() }
        #expect(sorted(schema) == sorted(fresh))
    }
}
