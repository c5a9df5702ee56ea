import Foundation
import Storage
import TestSupport
import Testing

/// Tests that what is declared for an app moves to another app as one document.
@Suite struct AppDocumentTests {
    private func run(_ arguments: [String], _ conninfo: String, input: String? = nil) async throws -> Program.Output {
        try await Program.run(arguments + ["--database-url", conninfo], input: input)
    }

    /// The document without what differs: the app's name, and when and in which version something was declared.
    private func content(_ text: String) throws -> NSDictionary {
        func stripped(_ value: Any) -> Any {
            if let object = value as? [String: Any] {
                return object.filter { !$0.key.hasSuffix("declared_at") && !["app", "version"].contains($0.key) }
                    .mapValues(stripped)
            }
            return (value as? [Any])?.map(stripped) ?? value
        }
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(stripped(object) as? NSDictionary)
    }

    @Test func `an exported app is the same after its import, also a second time`() async throws {
        let app = try await TestApp()
        let conninfo = app.conninfo
        let mapping = #"{"mappings":[{"event":"Push Seen","kind":"displayed"}]}"#
        let campaign =
            #"{"name":"Autumn \"24\"","variants":[{"id":"a","weight":0.1,"control":true},{"id":"b","weight":2}]}"#
        let rule = #"{"report":"conversion","column":"conversion_rate","above":0.5}"#
        for (arguments, input) in [
            (["apps", "receipts", app.app.name, "required"], ""), (["mappings", "import", "-"], mapping),
            (["campaigns", "put", "autumn", "-"], campaign), (["campaigns", "put", "old", "-"], #"{"name":"Old"}"#),
            (["campaigns", "archive", "old"], ""), (["alerts", "put", "high", "-"], rule),
            (["alerts", "put", "sample-ratio", "-"], #"{"enabled":false}"#),
            (
                ["categories", "import", "-"],
                #"{"categories":[{"identifier":"c","actions":[],"text_retention":"none"}]}"#
            ),
        ] {
            let done = try await run(arguments, conninfo, input: input)
            #expect(done.status == 0, "\(arguments): \(done)")
        }
        let exported = try await run(["apps", "export"], conninfo)
        #expect(exported.status == 0, "\(exported)")
        for key in [app.ingestKey, app.sendKey, app.readKey] { #expect(!exported.output.contains(key)) }
        let other = try await TestCluster.database()
        for _ in 0..<2 {
            let imported = try await run(["apps", "import", "-", "--name", "copy"], other, input: exported.output)
            #expect(imported.status == 0 && imported.output.contains("campaigns\t2\n"), "\(imported)")
            let copied = try await run(["apps", "export", "copy"], other)
            let (copy, original) = (try content(copied.output), try content(exported.output))
            #expect(copy == original, "\(copied.output)\n\(exported.output)")
        }
    }

    @Test func `an import that names no policy about receipts, or fails, leaves it required`() async throws {
        let app = try await TestApp()
        let required = try await run(["apps", "receipts", app.app.name, "required"], app.conninfo)
        #expect(required.status == 0, "\(required)")
        // As many as there can be.
        try await app.superuserValue(
            """
            insert into afterpush.campaigns (app_id, campaign_id, name)
            select \(app.app.id), 'c' || n, 'c'
            from generate_series(1, 5000) as n
            """)
        for (text, status) in [
            (#"{"campaigns":[]}"#, 0), (#"{"receipts":null}"#, 2), (#"{"receipts":["optional"]}"#, 2),
            (#"{"mappings":[]}"#, 2), (#"{"receipts":"optional","campaigns":[{"id":"one more"}]}"#, 1),
        ] as [(String, Int32)] {
            let imported = try await run(
                ["apps", "import", "-", "--name", app.app.name], app.conninfo, input: text)
            #expect(imported.status == status, "\(text.prefix(80)): \(imported)")
            let policy = try await app.value("select receipt_policy from afterpush.apps")
            #expect(policy == "required", "\(text.prefix(80))")
        }
        let named = try await run(
            ["apps", "import", "-", "--name", app.app.name], app.conninfo, input: #"{"receipts":"optional"}"#)
        #expect(named.status == 0 && named.output.contains("receipts optional"), "\(named)")
        #expect(try await app.value("select receipt_policy from afterpush.apps") == "optional")
    }

    @Test(arguments: [
        ("[]", "not a JSON object"), (#"{"app":"x","zebra":1}"#, "unknown member zebra"), ("{}", "names no app"),
        (#"{"app":"x","campaigns":[{"name":"n"}]}"#, "a campaign has no id"),
        (#"{"app":"x","receipts":"maybe"}"#, "receipts must be optional or required"),
        (#"{"app":"x","alerts":7}"#, "alerts must be an array of objects"),
    ])
    func `a document that is wrong is refused before anything is declared`(text: String, expected: String) async throws
    {
        let conninfo = try await TestCluster.database()
        let run = try await run(["apps", "import", "-"], conninfo, input: text)
        #expect(run.status != 0 && run.error.contains(expected), "\(run)")
        #expect(try await self.run(["apps", "list"], conninfo).output.isEmpty)
    }
}
