import Foundation
import Storage
import TestSupport
import Testing

/// Tests importing files of other systems with the program.
@Suite(.serialized) struct ForeignImportTests {
    /// A folder for the files of a test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-foreign-\(UUID().uuidString.prefix(8))"

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func file(_ name: String, _ text: String) throws -> String { try file(name, Data(text.utf8)) }

        func file(_ name: String, _ data: Data) throws -> String {
            try data.write(to: URL(filePath: path + "/" + name))
            return path + "/" + name
        }
    }

    private func run(_ arguments: [String], _ app: TestApp, input: String? = nil) async throws -> Program.Output {
        try await Program.run(
            ["import", "--app", app.app.name] + arguments + ["--database-url", app.conninfo], input: input)
    }

    /// The stored events, each as `kind notification device campaign platform time`.
    private func events(_ app: TestApp) async throws -> [String] {
        let list = try await app.value(
            """
            select string_agg(concat_ws(' ', kind, notification_id, device_id, campaign_id, platform,
                to_char(occurred_at at time zone 'UTC', 'HH24:MI:SS.MS')), E'\\n' order by occurred_at, kind::text)
            from afterpush.events
            """)
        return list?.split(separator: "\n").map(String.init) ?? []
    }

    /// What the report `dialects` shows, each as `family name reason received mapped ignored rejected`.
    private func counts(_ app: TestApp) async throws -> [String] {
        let list = try await app.value(
            """
            select string_agg(concat_ws(' ', family, nullif(name, ''), nullif(reason, ''), received, mapped, ignored, rejected),
                E'\\n' order by family, name, reason)
            from afterpush.dialect_events
            """)
        return list?.split(separator: "\n").map(String.init) ?? []
    }

    private static let fcm = """
        event_timestamp,project_number,message_id,instance_id,message_type,sdk_platform,app_name,event,analytics_label
        2026-11-10 10:00:00.1 UTC,7,m1,i1,DISPLAY_NOTIFICATION,ANDROID,a,MESSAGE_ACCEPTED,autumn
        2026-11-10 10:00:02 UTC,7,m1,i1,DISPLAY_NOTIFICATION,ANDROID,a,MESSAGE_DELIVERED,autumn
        2026-11-10 10:00:03 UTC,7,m2,i2,DISPLAY_NOTIFICATION,IOS,a,INVALID_REGISTRATION,autumn
        2026-11-10 10:00:04 UTC,7,m3,,DISPLAY_NOTIFICATION,IOS,a,MESSAGE_ACCEPTED,autumn

        """

    private static func pinpoint(_ type: String, _ second: Int, _ more: String = "") -> String {
        #"{"event_type":"\#(type)","event_timestamp":178430400\#(second)000,"arrival_timestamp":1784304009000,"#
            + #""application":{"app_id":"a"},"client":{"client_id":"e1"},"attributes":{"campaign_id":"c1","#
            + #""campaign_activity_id":"a1","treatment_id":"0","delivery_type":"APNS"\#(more)}}"#
    }

    @Test func `files of several systems are recognized together, and importing them again adds nothing`() async throws
    {
        let app = try await TestApp()
        let folder = try Folder()
        let sends = Self.pinpoint("_campaign.send", 1, #","campaign_send_status":"SUCCESS""#)
        let stream = sends + Self.pinpoint("_campaign.opened_notification", 2) + Self.pinpoint("_email.open", 3)
        let airship =
            #"{"id":"00000000-0000-4000-8000-000000000001","type":"OPEN","offset":"1","occurred":"2026-08-01T10:00:00.5Z","#
            + #""processed":"2026-08-01T10:00:01Z","device":{"ios_channel":"ch1"},"#
            + #""body":{"triggering_push":{"push_id":"p1","group_id":"g1"}}}"#
        let ga4 =
            #"{"event_date":"20260901","event_timestamp":"1788256800000000","event_name":"notification_open","#
            + #""event_params":[{"key":"message_id","value":{"string_value":"n1"}}],"user_pseudo_id":"d1","platform":"IOS"}"#
        let files = [
            try folder.file("rows.csv", Self.fcm),
            try folder.file(
                "part-0000", try await ZipArchive.compress(Data(stream.utf8), windowBits: 31)),
            try folder.file("airship.ndjson", airship + "\n"), try folder.file("ga4.json", "[\(ga4)]"),
            try folder.file(
                "own.ndjson",
                #"{"event_id":"00000000-0000-4000-8000-00000000000a","kind":"opened","notification_id":"own","#
                    + #""device_id":"d","occurred_at":"2026-10-01T10:00:00Z","messageId":"1","type":"track","userId":"u"}"#
            ),
        ]
        let first = try await run(files, app)
        #expect(first.status == 0, "\(first.error)")
        #expect(first.output == "stored 10, duplicates 0, rejected 0, ignored 2\n")
        for line in [
            "1 file read with --dialect airship: Airship Real-Time Data Streaming",
            "1 file read with --dialect fcm: FCM export to BigQuery",
            "1 file read with --dialect ga4: Google Analytics 4",
            "1 file read with --dialect pinpoint: Amazon Pinpoint event stream",
            "ignored 1 MESSAGE_ACCEPTED: no_device", "ignored 1 _email.open: unknown_name",
        ] {
            #expect(first.error.contains("afterpush: \(line)"), "\(first.error)")
        }
        #expect(
            try await events(app) == [
                "sent a1 e1 c1 ios 16:00:01.000", "opened a1 e1 c1 ios 16:00:02.000",
                "app_opened ch1 ios 10:00:00.500", "opened p1 ch1 g1 ios 10:00:00.500", "opened n1 d1 ios 10:00:00.000",
                "opened own d 10:00:00.000",
                "sent m1 i1 autumn android 10:00:00.100", "delivered m1 i1 autumn android 10:00:02.000",
                "failed m2 i2 autumn ios 10:00:03.000", "token_failed i2 ios 10:00:03.000",
            ])
        #expect(
            try await counts(app) == [
                "airship OPEN 1 2 0 0", "fcm INVALID_REGISTRATION 1 2 0 0", "fcm MESSAGE_ACCEPTED 1 1 0 0",
                "fcm MESSAGE_ACCEPTED no_device 1 0 1 0", "fcm MESSAGE_DELIVERED 1 1 0 0",
                "ga4 notification_open 1 1 0 0", "pinpoint _campaign.opened_notification 1 1 0 0",
                "pinpoint _campaign.send 1 1 0 0", "pinpoint _email.open unknown_name 1 0 1 0",
            ])
        let again = try await run(files, app)
        #expect(again.output == "stored 0, duplicates 10, rejected 0, ignored 2\n")
        #expect(try await counts(app).first == "airship OPEN 2 4 0 0")
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "0")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 5, "no file of rejections")
    }

    @Test func `an event that was posted by a client of Segment is a duplicate in the archive of its events`()
        async throws
    {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let event =
            #"{"type":"track","event":"Push Notification Tapped","messageId":"6731d4ac-26e1-4992-8d38-2be439fcfead","#
            + #""anonymousId":"a1","timestamp":"2026-11-10T10:00:00.000Z","properties":{"notification_id":"n1"},"#
            + #""context":{"device":{"id":"d1","type":"ios"}}}"#
        let posted = try await client.post("/v1/batch", Data(#"{"batch":[\#(event)]}"#.utf8), key: app.ingestKey)
        #expect(posted.status == 200 && posted.text.contains(#""accepted":1"#), "\(posted.text)")
        let other = event.replacing("fcfead", with: "fcfeae").replacing("a1", with: "a2").replacing("d1", with: "d2")
        let archive =
            event.replacing("}}}", with: #"}},"receivedAt":"2026-11-10T10:00:01.000Z","channel":"client"}"#) + "\n"
            + other
            + "\n" + #"{"type":"identify","messageId":"2","userId":"u","traits":{"email":"a@b.c"}}"# + "\n"
        let output = try await run(["-"], app, input: archive)
        #expect(output.output == "stored 1, duplicates 1, rejected 0, ignored 1\n", "\(output.error)")
        #expect(output.error.contains("ignored 1 identify: other_type"))
        await collector.stop()
    }

    @Test func `a rejected record is written to the file of rejections as it was`() async throws {
        let app = try await TestApp()
        let folder = try Folder()
        let bad = Self.pinpoint("_campaign.opened_notification", 1).replacing("1784304001000", with: #""soon""#)
        let good = Self.pinpoint("_campaign.opened_notification", 2)
        let file = try folder.file("stream", "\(good)\n\(bad)\n{\"cut\n")
        let output = try await run([file], app)
        #expect(output.output == "stored 1, duplicates 0, rejected 2\n", "\(output.error)")
        let text = try String(contentsOfFile: file + ".rejected.ndjson", encoding: .utf8)
        let rejected = try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.sorted { ($0["line"] as? Int ?? 0) < ($1["line"] as? Int ?? 0) }
        #expect(
            try await counts(app) == [
                "pinpoint invalid_json_type 1 0 0 1", "pinpoint _campaign.opened_notification 1 1 0 0",
                "pinpoint _campaign.opened_notification field_missing 1 0 0 1",
            ])
        #expect(rejected.map { $0["line"] as? Int } == [2, 3])
        #expect(rejected.map { $0["code"] as? String } == ["field_missing", "invalid_json_type"])
        #expect(rejected.map { $0["record"] as? String } == [bad, "{\"cut"])
        #expect((rejected.first?["event"] as? String)?.contains(#""kind":"opened""#) == true)
        // The corrected record can be imported by itself.
        let corrected = bad.replacing(#""soon""#, with: "1784304001000")
        #expect(try await run(["-"], app, input: corrected).output == "stored 1, duplicates 0, rejected 0\n")
    }

    @Test func `the dialect can be stated, and a native one forbids that files are taken for another`() async throws {
        let app = try await TestApp()
        let folder = try Folder()
        // Rejections of standard input would go to the working directory.
        let input = ["-", "--rejected", folder.path + "/rejected"]
        // Without the other columns, nothing tells whose the record is.
        let row = #"{"event":"MESSAGE_ACCEPTED","message_id":"m1","instance_id":"i1","event_timestamp":"1794304800"}"#
        #expect(try await run(input, app, input: row).output == "stored 0, duplicates 0, rejected 1\n")
        #expect(
            try await run(input + ["--dialect", "fcm"], app, input: row).output
                == "stored 1, duplicates 0, rejected 0\n")
        let start = Self.pinpoint("_session.start", 1)
        for dialect in ["ndjson", "json"] {
            let output = try await run(input + ["--dialect", dialect], app, input: start)
            #expect(output.output == "stored 0, duplicates 0, rejected 1\n", "\(dialect)")
        }
        let csv = try await run(input + ["--dialect", "csv"], app, input: Self.fcm)
        #expect(csv.status == 1 && csv.error.contains("has no column event_id"), "\(csv.error)")
        let wrong = try await run(input + ["--dialect", "xml"], app, input: "")
        #expect(wrong.status == 2 && wrong.error.contains("pinpoint"), "\(wrong.error)")
    }
}
