import Foundation
import TestSupport
import Testing

/// Tests that report logins, and they alone, reach the program's own cluster over TCP.
struct ReportPortTests {
    private static let psql = "/usr/bin/psql"

    /// An address of this machine that no other test uses.
    private let address = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...255)).\(Int.random(in: 2...254))"
    private let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"

    /// Runs a statement over TCP, as a user who can't enter the data directory if the tests run as root.
    private func query(_ sql: String, user: String, password: String = "it's") async throws -> Program.Output {
        let stranger = ["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]
        let switching = geteuid() == 0 ? ["/usr/bin/setpriv"] + stranger : []
        let command =
            ["/usr/bin/env"] + switching + [
                Self.psql, "-XAtq", "-c", sql,
                "host=\(address) port=5432 user=\(user) dbname=afterpush sslmode=disable",
            ]
        return try await Program.run(
            Array(command.dropFirst()), program: URL(filePath: command[0]), environment: ["PGPASSWORD": password])
    }

    @Test func `a login of one app reads its reports as any user, and the superuser is refused`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let collector = try await CollectorProcess(
            conninfo: nil, arguments: ["--data-dir", directory],
            environment: ["AFTERPUSH_POSTGRES_LISTEN": address])
        for app in ["shop", "travel"] {
            let output = try await Program.run(["apps", "create", app, "--data-dir", directory])
            #expect(output.status == 0, "\(output)")
        }
        let url = try await Program.run(["database-url", "--data-dir", directory]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let role = Program.root.appending(path: "dashboards/grafana/role.sql").path
        let made = try await Program.run(
            ["-X", "-q", "-d", url, "-v", "app=shop", "-f", role], program: URL(filePath: Self.psql),
            environment: ["AFTERPUSH_GRAFANA_PASSWORD": "it's"])
        #expect(made.status == 0, "\(made)")

        let read = try await query("select current_user, count(*) from afterpush.deliveries", user: "grafana")
        #expect(read.output == "grafana|0\n", "\(read)")
        let wrong = try await query("select 1", user: "grafana", password: "its")
        #expect(wrong.status != 0 && wrong.error.contains("password authentication failed"), "\(wrong)")
        for user in ["afterpush", "postgres", "unknown"] {
            let refused = try await query("select 1", user: user)
            #expect(refused.status != 0 && refused.error.contains("pg_hba.conf rejects"), "\(refused)")
        }
        #expect(await collector.stop() == 0)

        // Without the setting, the port is closed again.
        let plain = try await CollectorProcess(conninfo: nil, arguments: ["--data-dir", directory])
        let closed = try await query("select 1", user: "grafana")
        #expect(closed.status != 0 && closed.error.contains("Connection refused"), "\(closed)")
        #expect(await plain.stop() == 0)
    }

    @Test(arguments: ["0.0.0.0", "localhost", "192.168.0.1", "::"])
    func `an address that others could reach is refused`(address: String) async throws {
        let output = try await Program.run(
            ["serve", "--data-dir", directory], environment: ["AFTERPUSH_POSTGRES_LISTEN": address])
        #expect(output.status != 0 && output.error.contains("one of this machine alone"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}
