import TestSupport
import Testing

/// Checks I4 with a collector's metrics: the outcome of every event received since its start is counted exactly.
struct MetricsAudit {
    let port: Int
    /// The time in seconds after which the collector must be idle.
    let timeout: Int

    /// Skips a collector that is no longer running.
    func check(_ run: FaultRun) async {
        guard let first = await values() else { return }
        var values = first
        _ = await run.wait(timeout) {
            values = await self.values() ?? values
            return faults(values).isEmpty
        }
        for fault in faults(values) { run.expect(false, "I4: \(fault)") }
    }

    private func faults(_ values: [String: Double]) -> [String] {
        func sum(_ name: String) -> Double {
            values.filter { $0.key == name || $0.key.hasPrefix(name + "{") }.values.reduce(0, +)
        }
        let checks = [
            ("received", sum("afterpush_events_received_total"), sum("afterpush_events_total")),
            (
                "spooled", sum("afterpush_spool_received_events_total"),
                sum("afterpush_spool_outcome_events_total") + sum("afterpush_spool_events")
                    + sum("afterpush_spool_set_aside_events")
            ),
            ("waiting in the spool", sum("afterpush_spool_events"), 0),
        ]
        return checks.filter { $0.1 != $0.2 }.map { "\($0.0): \($0.1) in, \($0.2) accounted for" }
    }

    /// The samples with their labels.
    private func values() async -> [String: Double]? {
        let client = TestClient(url: "http://127.0.0.1:\(port)", timeout: 10)
        guard let response = try? await client.get("/metrics", key: nil), response.status == 200 else { return nil }
        return response.text.split(separator: "\n").reduce(into: [:]) { values, line in
            guard !line.hasPrefix("#"), let space = line.lastIndex(of: " ") else { return }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
    }
}
