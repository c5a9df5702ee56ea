import Foundation
import Reports
import Storage
import TestSupport
import Testing

extension ExportTests {
    /// The tasks of an event loop are other requests, and the export's own next query.
    @Test @MainActor func `an export with a fast reader lets other tasks run between its chunks`()
        async throws
    {
        let app = try await TestApp()
        try await app.insertEvents(1_000)
        let service = ExportService(pool: app.database.exportReads)
        var chunks = 0
        var othersRan: [Int] = []
        try await service.run(ExportRequest(.events, ["format": "csv"]), app: app.app.id) { _ in
            // A task that waits for the executor at one chunk runs before the next one.
            #expect(othersRan == Array(0..<chunks))
            let chunk = chunks
            Task { @MainActor in othersRan.append(chunk) }
            chunks += 1
        }
        #expect(chunks > 5)
    }

    @Test(arguments: [(ExportKind.events, true), (.events, false), (.deliveries, true), (.deliveries, false)])
    func `an export fails at its end if rows that it may lack were deleted meanwhile`(
        kind: ExportKind, isOfAllTime: Bool
    ) async throws {
        let app = try await TestApp()
        _ = try await app.value("select afterpush.ensure_partitions(now(), 6, 1)")
        func time(daysAgo days: Double) -> String { Date(timeIntervalSinceNow: -days * 86_400).formatted(.iso8601) }
        try await app.store(
            [99, 0.01].map {
                EventJSON.event(["occurred_at": time(daysAgo: $0), "notification_id": "n\($0)"])
            })
        try await app.rollUp()
        let service = ExportService(pool: app.database.exportReads)
        let from = isOfAllTime ? [:] : ["from": time(daysAgo: 1)]
        var lines = 0
        func export() async throws {
            let request = try ExportRequest(kind, from.merging(["format": "csv"]) { $1 })
            try await service.run(request, app: app.app.id) { piece in
                // Before the first row.
                if lines == 0 {
                    let periods = RetentionPeriods(events: 32 * 86_400, deliveries: 32 * 86_400)
                    let retention = Retention(pool: app.database.owner, periods) { try await app.rollUp() }
                    _ = try await retention.run()
                }
                lines += piece.count { $0 == UInt8(ascii: "\n") }
            }
        }
        if isOfAllTime {
            await #expect(throws: ExportService.RowsDeleted.self) { try await export() }
        } else {
            try await export()
        }
        #expect(lines == 2)
        #expect(try await app.value("select count(*) from afterpush.\(kind.rawValue)") == "1")
    }

    private func request(_ app: TestApp) -> String {
        "GET /v1/export/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(app.readKey)\r\n\r\n"
    }

    private static let busy =
        "select count(*) from pg_stat_activity where application_name = 'afterpush export' and state <> 'idle' and datname = current_database()"

    @Test func `a slow reader blocks nothing in the database and receives everything`() async throws {
        let app = try await TestApp()
        try await app.insertEvents(60_000)
        // The checks below may take longer than the usual ten seconds.
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_HTTP_WRITE_TIMEOUT": "120"])
        let connection = try RawConnection(port: collector.port, receiveBuffer: 16 * 1024)
        await connection.send(request(app))
        _ = await connection.receive(timeout: .seconds(10)) { $0.contains("\r\n\r\n") }
        // A query runs until all buffers are full, and then only between two chunks.
        var idleChecks = 0
        try await app.waitUntil("nothing runs for a reader that reads nothing") {
            idleChecks = try await app.superuserValue(Self.busy) == "0" ? idleChecks + 1 : 0
            try await Task.sleep(for: .milliseconds(100))
            return idleChecks == 20
        }
        #expect(await connection.receives(end: "0\r\n\r\n", timeout: .seconds(240)))
        await collector.stop()
    }

    @Test func `a client that disconnects ends the query`() async throws {
        let app = try await TestApp()
        try await app.insertEvents(10)
        try await app.superuserValue(
            """
            create or replace function afterpush.report_app() returns integer language plpgsql stable security definer
            as $$ begin perform pg_sleep(120); return 1; end $$
            """)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        var connection: RawConnection? = try RawConnection(port: collector.port)
        await connection?.send(request(app))
        try await app.waitUntil("the query runs") { try await app.superuserValue(Self.busy) == "1" }
        connection = nil
        let start = ContinuousClock.now
        try await app.waitUntil("the query ends") { try await app.superuserValue(Self.busy) == "0" }
        #expect(start.duration(to: .now) < .seconds(30))
        await collector.stop()
    }

    @Test func `an error during an export closes the connection, so that a partial file does not look complete`()
        async throws
    {
        let app = try await TestApp()
        try await app.insertEvents(60_000)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let connection = try RawConnection(port: collector.port, receiveBuffer: 16 * 1024)
        await connection.send(request(app))
        _ = await connection.receive(timeout: .seconds(10)) { $0.contains("\r\n\r\n") }
        try await app.superuserValue("revoke select on afterpush.events from afterpush_report")
        let rest = await connection.receive(timeout: .seconds(60))
        #expect(rest != nil, "the connection closes")
        #expect(rest?.hasSuffix("0\r\n\r\n") == false)
        let client = TestClient(url: collector.url)
        #expect(try await client.get("/v1/export/events", key: app.readKey).status == 503)
        await collector.stop()
    }

    @Test func `memory use does not grow with the size of an export`() async throws {
        let app = try await TestApp()
        try await app.insertEvents(200_000)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        _ = try await client.get("/v1/export/events?to=2000-01-01", key: app.readKey)
        let idle = collector.size("VmRSS") ?? 0
        let output = try await Program.run(
            [
                "-s", "-o", "/dev/null", "-H", "Authorization: Bearer \(app.readKey)",
                collector.url + "/v1/export/events",
            ],
            program: URL(filePath: "/usr/bin/curl"))
        #expect(output.status == 0)
        let peak = collector.size("VmHWM") ?? .max
        #expect(peak - idle < 40 * 1024, "\(idle) KiB idle, \(peak) KiB at most")
        await collector.stop()
    }
}
