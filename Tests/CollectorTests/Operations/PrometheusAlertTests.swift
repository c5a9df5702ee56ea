import Foundation
import TestSupport
import Testing

/// Tests the alert rules for Prometheus with its own tool.
struct PrometheusAlertTests {
    private static let directory = Program.root.appending(path: "dashboards/prometheus")

    private func promtool(_ command: String, _ file: String) async throws -> Program.Output {
        try await Program.run(
            [command, "rules", Self.directory.appending(path: file).path], program: URL(filePath: "/usr/bin/promtool"))
    }

    @Test func `Prometheus accepts the rules, and each fires where it should and nowhere else`() async throws {
        let check = try await promtool("check", "alerts.yml")
        #expect(check.status == 0, "\(check)")
        let test = try await promtool("test", "alerts_test.yml")
        #expect(test.status == 0, "\(test)")
    }

    @Test func `each rule is tested, and reads metrics that exist`() throws {
        let rules = try String(contentsOf: Self.directory.appending(path: "alerts.yml"), encoding: .utf8)
        let tests = try String(contentsOf: Self.directory.appending(path: "alerts_test.yml"), encoding: .utf8)
        let page = try String(
            contentsOf: Program.root.appending(path: "docs/metrics-and-logs.md"), encoding: .utf8)
        let names = rules.matches(of: /- alert: Afterpush(\w+)/).map { String($0.1) }
        #expect(names.count > 10)
        for name in names {
            #expect(
                tests.contains("alertname: Afterpush\(name)\n        exp_alerts:\n"),
                "\(name) never fires in a test")
            #expect(page.contains("`\(name)`"), "\(name) is not documented")
        }
        for metric in Set(rules.matches(of: /\bafterpush_(\w+)/).map { String($0.1) }) {
            #expect(page.contains("`\(metric)`"), "there is no metric \(metric)")
        }
    }
}
