import Foundation
import Postgres
import SQLFiles
import Storage
import TestSupport
import Testing

@testable import Alerts

/// Tests that messages of alerts which say an erased device are not sent, however a destination's format writes its id.
@Suite struct AlertErasureTests {
    /// What JSON, Slack or a line of a message write in another way.
    private static let ids = [
        "plain-1", "a&b", "<a>", "a>b&amp;c", #"a"b\c"#, "a/b", "a\nb", "a\tb", "a\u{7F}b", "a\u{85}b", "a\u{202E}b",
        "a\u{2028}b",
        "b😀", "ä*b*",
    ]

    @Test(arguments: ids)
    func `messages that wait are deleted with the device that they say`(id: String) async throws {
        let app = try await TestApp()
        try await add(id, to: app)
        try await add("another", to: app)
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), $id$\(id)$id$)")
        try await app.superuserValue("update afterpush.erasures set phase = 'erasing_texts'")
        try await app.waitUntil("it is erased") {
            _ = try await app.superuserValue("select afterpush.erase_texts(100)")
            return try await app.value("select phase from afterpush.erasures") == "done"
        }
        let kept = "select string_agg(kind, ' ' order by kind) from afterpush.alert_messages where body ~ 'another'"
        #expect(try await app.superuserValue(kept) == "email slack webhook")
        #expect(try await app.superuserValue("select count(*) from afterpush.alert_messages") == "3")
    }

    @Test func `a body that is not JSON holds up no erasure`() async throws {
        let app = try await TestApp()
        for body in ["", "{", #"{"a":"\u0000"}"#, "of plain-1"] {
            try await app.superuserValue(
                """
                insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body)
                values (\(app.app.id), gen_random_uuid(), 'webhook', 'a', '', '\(body)')
                """)
        }
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'plain-1')")
        try await app.superuserValue("update afterpush.erasures set phase = 'erasing_texts'")
        try await app.waitUntil("it is erased") {
            _ = try await app.superuserValue("select afterpush.erase_texts(100)")
            return try await app.value("select phase from afterpush.erasures") == "done"
        }
        #expect(try await app.superuserValue("select count(*) from afterpush.alert_messages") == "3")
    }

    /// A job of which only texts are left to be erased.
    private func addJob(_ device: String, to app: TestApp) async throws {
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), '\(device)')")
        try await app.superuserValue(
            "update afterpush.erasures set phase = 'erasing_texts', deleted_at = clock_timestamp()")
    }

    private func step(_ app: TestApp) async throws -> String? {
        try await app.superuserValue("select afterpush.erase_texts(100)")
        return try await app.value("select phase from afterpush.erasures")
    }

    private func traces(of device: String, _ app: TestApp) async throws -> String? {
        try await app.superuserValue(
            """
            select (select count(*) from afterpush.alert_states where series ~ '\(device)')
                + (select count(*) from afterpush.alert_history where series ~ '\(device)')
                + (select count(*) from afterpush.alert_messages where body ~ '\(device)')
            """)
    }

    /// Claims a rule, as an evaluation that begins.
    private func claim(_ store: AlertStore, _ app: TestApp) async throws -> AlertStore.Claim {
        let json = #"{"report":"failures","series":["reason"],"column":"events","above":0,"every":"1s"}"#
        try await AlertStore(pool: app.database.owner).put(AlertRule(Array(json.utf8), name: "r"), app: app.app.id)
        return try #require(try await store.claim(for: .seconds(40), excluding: [], spent: [:]))
    }

    /// What an evaluation found that read the device.
    private func evaluation(naming device: String) -> AlertEvaluation {
        AlertEvaluation([
            AlertEvaluation.Result(
                series: #"{"reason":"\#(device)"}"#, finding: .outside, value: AlertValue(value: 1), description: "is 1"
            )
        ])
    }

    @Test func `an erasure waits for the evaluations that may have read the device, and for no others`() async throws {
        let app = try await TestApp()
        let store = AlertStore(pool: app.database.worker)
        let claim = try await claim(store, app)
        try await addJob("device-1", to: app)
        for _ in 0..<3 { #expect(try await step(app) == "erasing_texts") }
        _ = try await store.finish(claim, evaluation(naming: "device-1"))
        #expect(try await traces(of: "device-1", app) != "0")
        try await app.superuserValue("update afterpush.alert_rules set next_evaluation_at = now()")
        _ = try #require(try await store.claim(for: .seconds(40), excluding: [], spent: [:]))
        try await app.waitUntil("it is erased") { try await step(app) == "done" }
        #expect(try await traces(of: "device-1", app) == "0")
    }

    @Test func `an erasure waits for evaluations that may have read names of other systems' events`() async throws {
        let app = try await TestApp()
        let store = AlertStore(pool: app.database.worker)
        try await app.superuserValue(
            """
            insert into afterpush.dialect_events
                (app_id, family, name, reason, received, mapped, ignored, rejected, first_at, last_at)
            values (\(app.app.id), 'segment', 'Viewed device-1', '', 1, 0, 1, 0, now(), now())
            """)
        try await addJob("device-1", to: app)
        // Its events are gone, and the names are not.
        let claim = try await claim(store, app)
        for _ in 0..<4 { #expect(try await step(app) == "erasing_texts") }
        let name = "select name from afterpush.dialect_events"
        #expect(try await app.superuserValue(name) == "(erased)")
        _ = try await store.finish(claim, evaluation(naming: "device-1"))
        try await app.waitUntil("it is erased") { try await step(app) == "done" }
        #expect(try await traces(of: "device-1", app) == "0")
    }

    @Test func `an evaluation that is being stored does not put a state back that an erasure deletes`() async throws {
        let app = try await TestApp()
        let store = AlertStore(pool: app.database.worker)
        _ = try await store.finish(try await claim(store, app), evaluation(naming: "device-1"))
        try await addJob("device-1", to: app)
        for _ in 0..<2 { _ = try await step(app) }
        // Reads the states, and puts them again.
        try await app.superuserValue("update afterpush.alert_rules set next_evaluation_at = now()")
        let claim = try #require(try await store.claim(for: .seconds(40), excluding: [], spent: [:]))
        try await app.database.owner.withConnection { finishing in
            try await finishing.script("begin")
            _ = try await finishing.query(
                SQLFiles.lockAlertClaim.text, [.int4(app.app.id), .text("r"), .uuid(claim.id)])
            for _ in 0..<3 { #expect(try await step(app) == "erasing_texts") }
            try await finishing.script("rollback")
        }
        try await app.waitUntil("it is erased") { try await step(app) == "done" }
        _ = try await store.finish(claim, AlertEvaluation([]))
        #expect(try await traces(of: "device-1", app) == "0")
    }

    @Test func `what an evaluation finds after its claim has lapsed is not stored behind an erasure`() async throws {
        let app = try await TestApp()
        let store = AlertStore(pool: app.database.worker)
        let claim = try await claim(store, app)
        try await app.superuserValue("update afterpush.alert_rules set claimed_until = now() - interval '1 second'")
        try await addJob("device-1", to: app)
        try await app.waitUntil("it is erased") { try await step(app) == "done" }
        #expect(try await store.finish(claim, evaluation(naming: "device-1")).changes.isEmpty)
        #expect(try await traces(of: "device-1", app) == "0")
    }

    @Test func `a summary that is made while a device is erased does not name it`() async throws {
        let app = try await TestApp()
        let store = AlertStore(pool: app.database.worker)
        _ = try await store.finish(try await claim(store, app), evaluation(naming: "device-1"))
        try await app.superuserValue(
            """
            insert into afterpush.alert_settings (app_id, destinations, summary, next_summary_at)
            values (\(app.app.id), '[{"email":"a@example.com"}]', 'daily', now())
            on conflict (app_id) do update
            set destinations = excluded.destinations, summary = excluded.summary, next_summary_at = now()
            """)
        let due = try #require(try await store.dueSummary(excluding: []))
        try await addJob("device-1", to: app)
        // Those about names.
        for _ in 0..<2 { _ = try await step(app) }
        try await app.database.owner.withConnection { erasing in
            try await erasing.script("begin; select afterpush.erase_texts(100)")
            async let finished: Void = store.finish(due) { firing in
                let text = firing.shown.map { "\($0.record.series)" }.joined()
                return AlertMessage(id: UUID(), subject: "summary", text: "firing: \(text)", json: "{}")
            }
            try await app.waitUntil("the summary waits") {
                let waiting = """
                    select count(*) from pg_stat_activity
                    where wait_event_type = 'Lock' and datname = current_database()
                    """
                return try await app.superuserValue(waiting) == "1"
            }
            try await erasing.script("commit")
            try await finished
        }
        try await app.waitUntil("it is erased") { try await step(app) == "done" }
        let summary = "select body from afterpush.alert_messages where subject = 'summary'"
        #expect(try await app.superuserValue(summary) == "firing: ")
        #expect(try await traces(of: "device-1", app) == "0")
    }

    /// Puts a message for each kind of destination into the outbox, as a summary that says a device.
    private func add(_ id: String, to app: TestApp) async throws {
        let description = String(decoding: try JSONEncoder().encode(["description": id]), as: UTF8.self)
        let message = AlertMessage(
            id: UUID(), subject: "summary", text: AlertMessage.line("Firing: failures for reason \(id): 7"),
            json: #"{"firing":[\#(description)]}"#)
        for kind in [AlertDestination.Kind.webhook, .slack, .email] {
            try await app.superuserValue(
                """
                insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body)
                values (
                    \(app.app.id), '\(message.id)', '\(kind.rawValue)', 'a', 'summary', $body$\(message.body(for: kind))$body$
                )
                """)
        }
    }
}
