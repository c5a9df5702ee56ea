import Foundation
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
