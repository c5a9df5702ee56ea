import AfterpushWire
import Declarations
import Events
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

/// A collector and an app with text in every dimension that is known to break readers and writers, rolled up.
///
/// Tests that only read share it.
struct HostileTextFixture: Sendable {
    static let texts = [
        "=1+1", "+1", "-1", "@x", "\tx", "'quoted", "a,b", "a\"b", "a\nb", "a\r\nb", "émoji 🎉", "مرحبا", "\u{202E}abc",
        "<script>alert(1)</script>", "'; drop table afterpush.apps; --", ";=x", "\",=x", "＝1", "\\", "\\n", "null",
        "NULL", "$1", ":'app'", "plain",
    ]

    static let shared = Task { try await HostileTextFixture() }

    let app: TestApp
    let collector: CollectorProcess

    let client: TestClient

    private init() async throws {
        app = try await TestApp()
        try await Self.declare(in: app)
        let refused = EventJSON.event(["kind": "nonsense"])
        try await Self.store(Self.texts.flatMap(Self.events) + [refused], in: app)
        try await app.rollUp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        client = TestClient(url: collector.url)
    }

    /// The events of a delivery in which every name is `text`.
    private static func events(_ text: String) -> [[String: any Sendable]] {
        let names: [String: any Sendable] = [
            "campaign_id": text, "variant": text, "category_id": text, "app_version": text, "platform": "ios",
            "notification_id": text, "device_id": text,
        ]
        let tap: [String: any Sendable] = ["kind": "action", "action_identifier": text]
        let reply: [String: any Sendable] = ["kind": "text_input", "action_identifier": text, "user_text": text]
        let kinds: [[String: any Sendable]] = [
            ["kind": "sent"], ["kind": "delivered"], ["kind": "app_opened"], tap, reply,
            ["kind": "failed", "reason": text, "notification_id": "failed " + text],
        ]
        return kinds.map { kind in EventJSON.event(names.merging(kind) { $1 }) }
    }

    private static func declare(in app: TestApp) async throws {
        let categories = texts.prefix(6).map { text -> [String: Any] in
            let action: [String: Any] = ["identifier": text, "title": text, "text_input": ["button_title": text]]
            return ["identifier": text, "options": ["customDismissAction"], "actions": [action]]
        }
        let set = try CategorySet(json: try JSONSerialization.data(withJSONObject: ["categories": categories]))
        _ = try await app.registry.putCategories(set, app: app.app, at: now)
        for text in texts.prefix(6) {
            let control: [String: Any] = ["id": text, "control": true]
            let campaign: [String: Any] = ["name": text, "variants": [control, ["id": "other"]]]
            let body = Array(try JSONSerialization.data(withJSONObject: campaign))
            try await app.registry.putCampaign(CampaignDeclaration(body, identifier: text), app: app.app)
        }
    }

    private static func store(_ events: [[String: any Sendable]], in app: TestApp) async throws {
        let context = ValidationContext(appID: app.app.id, scope: .send, receivedAt: now)
        let submission = try Submission.read(Array(try EventJSON.body(events)), as: .json)
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        let outcomes = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
        #expect(outcomes[0].accepted == events.count - 1)
    }

    private static var now: AfterpushWire.Timestamp {
        AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}
