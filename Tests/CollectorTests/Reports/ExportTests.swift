import Foundation
import Postgres
import Reports
import Storage
import TestSupport
import Testing

/// Tests exports over HTTP and from the command line.
@Suite(.serialized) struct ExportTests {
    /// Events with hostile text in every text field.
    static func hostileEvents() -> [[String: any Sendable]] {
        HostileTextFixture.texts.flatMap { text -> [[String: any Sendable]] in
            let fields: [String: any Sendable] = [
                "campaign_id": text, "variant": text, "category_id": text, "app_version": text, "platform": "ios",
                "notification_id": text, "device_id": text, "surface": text, "app_state": text, "os_version": text,
                "locale": text, "dismiss_cause": text, "reason": text, "name": text, "category_version": 3,
                "utc_offset_minutes": -300, "value": 12.5, "currency": "EUR",
                "properties": [text: text, "nested": [text, "\\", 1, true] as [any Sendable]] as [String: any Sendable],
            ]
            let reply: [String: any Sendable] = ["action_identifier": text, "user_text": text, "kind": "text_input"]
            return [
                EventJSON.event(fields.merging(["kind": "sent"]) { $1 }),
                EventJSON.event(fields.merging(reply) { $1 }),
                EventJSON.event(["kind": "app_opened", "device_id": text, "notification_id": ""]),
            ]
        }
    }

    private func app() async throws -> TestApp {
        let app = try await TestApp()
        try await app.store(Self.hostileEvents())
        try await app.rollUp()
        return app
    }

    /// The rows by column; an absent value is nil.
    private func rows(csv: String) -> [[String: String]] {
        let rows = CSV.parse(csv)
        let names = rows.first?.map { $0 ?? "" } ?? []
        return rows.dropFirst().map { row in
            Dictionary(uniqueKeysWithValues: zip(names, row).compactMap { name, value in value.map { (name, $0) } })
        }
    }

    private func rows(ndjson: String) throws -> [[String: String]] {
        try ndjson.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return try object.mapValues { value in
                switch value {
                case let text as String: return text
                case let number as NSNumber:
                    return String(cString: number.objCType) == "c" ? "\(number.boolValue)" : "\(number)"
                default:
                    let data = try JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
                    return String(decoding: data, as: UTF8.self)
                }
            }
        }
    }

    /// The JSON of a cell in canonical form.
    private func normal(_ row: [String: String]) -> [String: String] {
        row.reduce(into: [:]) { row, cell in
            guard cell.key == "properties" || cell.key == "actions" else { return row[cell.key] = cell.value }
            let object = try? JSONSerialization.jsonObject(with: Data(cell.value.utf8))
            let data = object.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
            row[cell.key] = String(decoding: data ?? Data(), as: UTF8.self)
        }
    }

    @Test(arguments: ["events", "deliveries", "replies"])
    func `hostile text is the same in raw and safe CSV, in NDJSON and from the command line`(
        kind: String
    ) async throws {
        let app = try await app()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let text = kind == "deliveries" ? "" : "&include_text=true"
        func get(_ query: String) async throws -> TestClient.Response {
            let response = try await client.get("/v1/export/\(kind)?\(query)\(text)", key: app.readKey)
            #expect(response.status == 200, "\(response.text)")
            return response
        }
        let raw = try await get("format=csv&raw=true")
        let safe = try await get("format=csv")
        let json = try await get("format=ndjson")
        let lines = try rows(ndjson: json.text)
        #expect(lines.count == HostileTextFixture.texts.count * (kind == "events" ? 3 : 1))
        #expect(rows(csv: raw.text).map(normal) == lines)
        let neutralised = rows(csv: safe.text).map { row in
            row.mapValues { $0.hasPrefix("'") ? String($0.unicodeScalars.dropFirst()) : $0 }
        }
        #expect(neutralised.map(normal) == lines)
        #expect(raw.headers["content-type"]?.hasPrefix("text/csv") == true)
        #expect(json.headers["content-type"] == "application/x-ndjson")
        if kind != "deliveries" {
            #expect(lines.compactMap { $0["user_text"] }.sorted() == HostileTextFixture.texts.sorted())
        }
        let flags = kind == "deliveries" ? [] : ["--include-text"]
        let output = try await Program.run(["export", kind, "--raw", "--database-url", app.conninfo] + flags)
        #expect(output.status == 0, "\(output.error)")
        #expect(output.output == raw.text)
        await collector.stop()
    }

    @Test func `typed texts are exported only on request, and each app sees only its own rows`() async throws {
        let app = try await app()
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        try await other.store([EventJSON.event(["device_id": "of the other"])])
        try await other.rollUp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        for kind in ["events", "deliveries", "replies"] {
            let own = try await client.get("/v1/export/\(kind)?format=ndjson", key: app.readKey)
            #expect(!own.text.contains("user_text"))
            #expect(!own.text.contains("of the other"))
            let others = try await client.get("/v1/export/\(kind)?format=ndjson", key: other.readKey)
            #expect(others.text.split(separator: "\n").count == (kind == "replies" ? 0 : 1))
        }
        #expect(try await client.get("/v1/export/events", key: app.ingestKey).status == 403)
        #expect(try await client.get("/v1/export/events", key: nil).status == 401)
        #expect(try await client.get("/v1/export/nothing", key: app.readKey).status == 404)
        let wrong = try await client.get("/v1/export/events?from=soon", key: app.readKey)
        #expect(wrong.status == 400)
        #expect(wrong.text.contains("\\\"from\\\""))
        let lines = try await client.get(
            "/v1/export/events", key: app.readKey, headers: ["Accept": "application/x-ndjson"])
        #expect(lines.text.hasPrefix("{"))
        await collector.stop()
    }

    @Test(arguments: ["events", "deliveries", "replies"])
    func `an export can be resumed after any row`(kind: String) async throws {
        let app = try await app()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let path = "/v1/export/\(kind)?format=ndjson"
        let all = try await client.get(path, key: app.readKey).text.split(separator: "\n").map(String.init)
        let columns = [
            "events": ["batch_id", "delivery_id", "event_id", "occurred_at"], "deliveries": ["delivery_id"],
        ][
            kind, default: ["delivery_id", "event_id", "occurred_at"]]
        for (place, line) in all.enumerated() where place % 5 == 0 || place == all.count - 1 {
            let row = try rows(ndjson: line)[0]
            let cursor = columns.map { row[$0] ?? "" }.joined(separator: ",")
            let rest = try await client.get(path + "&after=\(cursor)", key: app.readKey)
            #expect(rest.text.split(separator: "\n").map(String.init) == Array(all[(place + 1)...]))
        }
        await collector.stop()
    }

    @Test func `times select events by their occurrence, and dates do so in a zone`() async throws {
        let app = try await TestApp()
        let times = [
            "2026-11-01T22:59:59Z", "2026-11-01T23:00:00Z", "2026-11-02T22:59:59.999999Z", "2026-11-02T23:00:00Z",
        ]
        try await app.store(times.map { EventJSON.event(["occurred_at": $0]) })
        let output = try await Program.run([
            "export", "events", "--format", "ndjson", "--from", "2026-11-02", "--to", "2026-11-03", "--tz",
            "Europe/Berlin",
            "--database-url", app.conninfo,
        ])
        let found = try rows(ndjson: output.output).compactMap { $0["occurred_at"] }
        #expect(found.sorted() == Array(times[1...2]))
    }

    @Test(arguments: ["csv", "ndjson"])
    func `the command completes a file that was cut anywhere`(format: String) async throws {
        let app = try await app()
        let path = FileManager.default.temporaryDirectory.path + "/export-\(UUID().uuidString.prefix(8)).\(format)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let arguments = [
            "export", "events", "--include-text", "--format", format, "--out", path, "--database-url", app.conninfo,
        ]
        #expect(try await Program.run(arguments).status == 0)
        let whole = try Data(contentsOf: URL(filePath: path))
        for cut in [0, 20, whole.count / 3, whole.count / 2, whole.count - 1, whole.count] {
            try whole.prefix(cut).write(to: URL(filePath: path))
            let output = try await Program.run(arguments + ["--after", "last"])
            #expect(output.status == 0, "\(output.error)")
            #expect(try Data(contentsOf: URL(filePath: path)) == whole, "cut at \(cut)")
        }
        let other = try await Program.run(arguments.filter { $0 != "--include-text" } + ["--after", "last"])
        #expect(format == "csv" ? other.status == 2 : other.status == 0)
        // A file that is not an export is unchanged.
        for foreign in ["precious text without an end", "{\"other\":1}\n{\"oth", "\n"] {
            try Data(foreign.utf8).write(to: URL(filePath: path))
            let output = try await Program.run(arguments + ["--after", "last"])
            #expect(output.status == 2 && output.error.contains("is not an export"), "\(output.error)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == foreign)
        }
        // Nobody ever writes to this pipe.
        #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        let pipe = try await Program.run(
            ["10", Program.url.path] + arguments + ["--after", "last"], program: URL(filePath: "/usr/bin/timeout"))
        #expect(pipe.status == 2 && pipe.error.contains("it is no regular file"), "\(pipe)")
    }
}
