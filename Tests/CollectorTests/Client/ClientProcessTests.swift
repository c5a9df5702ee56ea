import AfterpushClient
import Foundation
import TestSupport
import Testing

/// Tests several processes of an app that share a queue, with a real collector.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ClientProcessTests {
    @Test func `two processes that share a directory lose and duplicate no event`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "afterpush-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let seconds = FaultScale.pick(quick: 3, long: 60)
        let arguments = [directory.path, "\(seconds)", collector.url, app.ingestKey]
        let start = ContinuousClock.now
        let outputs = try await withThrowingTaskGroup(of: Program.Output.self) { group in
            for _ in 0..<2 {
                group.addTask { try await Program.run(arguments, program: Program.recorder) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ContinuousClock.now - start < .seconds(seconds + 60), "no deadlock")
        #expect(outputs.map(\.status) == [0, 0])
        let recorded = outputs.flatMap { $0.output.split(separator: "\n").map { $0.lowercased() } }
        #expect(recorded.count > 20 && Set(recorded).count == recorded.count)

        // Sends what the last process could not send, because the other one held the lease.
        let client = AfterpushClient(
            AfterpushConfiguration(
                url: try #require(URL(string: collector.url)), key: app.ingestKey, directory: directory, deviceID: "d"))
        #expect(await client.flush() == .completed)
        let stored = try await app.value(
            "select string_agg(event_id::text, ',' order by event_id) from afterpush.events")
        #expect(stored == recorded.sorted().joined(separator: ","))
        let metrics = try await MetricsText(TestClient(url: collector.url).get("/metrics", key: nil).text)
        #expect(metrics[#"afterpush_events_total{outcome="duplicate"}"#] ?? 0 == 0)
        #expect(metrics[#"afterpush_events_total{outcome="stored"}"#] == Double(recorded.count))
    }
}

extension Program {
    /// The program of Tests/RecordingProcess.
    static var recorder: URL { url.deletingLastPathComponent().appending(path: "RecordingProcess") }
}
