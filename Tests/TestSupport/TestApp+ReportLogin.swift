import Foundation
import Storage

extension TestApp {
    /// Creates a login with which Grafana would read this app's reports, as the documentation says.
    ///
    /// Logins belong to the cluster that all tests share, so the caller drops it in the end.
    ///
    /// - Returns: The login's name and its connection string.
    package func makeReportLogin() async throws -> (name: String, conninfo: String) {
        let name = "grafana_\(UUID().uuidString.prefix(8).lowercased())"
        let script = Program.root.appending(path: "dashboards/grafana/role.sql").path
        let output = try await Program.run(
            ["-X", "-q", "-d", conninfo, "-v", "app=\(app.name)", "-v", "login=\(name)", "-f", script],
            program: URL(filePath: "/usr/bin/psql"), environment: ["AFTERPUSH_GRAFANA_PASSWORD": "it's"])
        guard output.status == 0 else { throw Program.Failed(message: output.error) }
        return (name, conninfo.replacing(/user='?[a-z_]+'?/, with: "user=\(name)"))
    }
}
