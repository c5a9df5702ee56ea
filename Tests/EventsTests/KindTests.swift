import AfterpushWire
import EventSamples
import Events
import Testing

@Suite struct KindTests {
    private static let open = "\"com.apple.UNNotificationDefaultActionIdentifier\""
    private static let dismiss = "\"com.apple.UNNotificationDismissActionIdentifier\""

    private static let agreeing: [(action: String?, kind: String?, text: String?, result: EventKind)] = [
        (open, nil, nil, .opened), (open, "\"opened\"", nil, .opened), (dismiss, nil, nil, .dismissed),
        (dismiss, "\"dismissed\"", nil, .dismissed), ("\"X\"", nil, nil, .action),
        ("\"X\"", "\"action\"", nil, .action), ("\"X\"", nil, "\"hi\"", .textInput),
        ("\"X\"", "\"text_input\"", "\"hi\"", .textInput), ("\"X\"", "\"text_input\"", nil, .textInput),
        (nil, "\"opened\"", nil, .opened), (nil, "\"dismissed\"", nil, .dismissed),
    ]

    @Test func `an action identifier implies the kind`() throws {
        for (action, kind, text, result) in Self.agreeing {
            let event = try Sample.accepted(["action_identifier": action, "kind": kind, "user_text": text])
            #expect(event.kind == result)
        }
    }

    private static let contradicting: [(action: String?, kind: String?, text: String?)] = [
        (open, "\"dismissed\"", nil), (open, "\"action\"", nil), (open, "\"text_input\"", nil),
        (open, nil, "\"hi\""), (dismiss, "\"opened\"", nil), (dismiss, nil, "\"hi\""),
        ("\"X\"", "\"opened\"", nil), ("\"X\"", "\"action\"", "\"hi\""), ("\"X\"", "\"delivered\"", nil),
        (nil, "\"action\"", nil), (nil, "\"text_input\"", nil), (nil, "\"text_input\"", "\"hi\""),
        (nil, "\"opened\"", "\"hi\""), (nil, "\"delivered\"", "\"hi\""),
    ]

    @Test func `a kind that contradicts the action or the text is rejected as a mismatch`() throws {
        for (action, kind, text) in Self.contradicting {
            let rejection = try Sample.rejected(["action_identifier": action, "kind": kind, "user_text": text])
            #expect(rejection.code == .kindMismatch)
            #expect(rejection.detail.contains("kind") || rejection.detail.contains("user_text"))
            #expect(rejection.submittedEvent?.contains("hi") == false)
        }
    }

    @Test(arguments: ["\"sent\"", "\"failed\""])
    func `only a server, or the app for local notifications, can post sending events`(kind: String) throws {
        for scope in [Scope.ingest, .read] {
            try Sample.expectRejection(.scopeInsufficient, naming: "kind", ["kind": kind], Sample.context(scope))
            try Sample.expectRejection(
                .scopeInsufficient, naming: "kind", ["kind": kind, "trigger": "\"push\""], Sample.context(scope))
        }
        for scope in [Scope.send, .manage] { _ = try Sample.accepted(["kind": kind], Sample.context(scope)) }
        for trigger in ["time_interval", "calendar", "location"] {
            _ = try Sample.accepted(["kind": kind, "trigger": Sample.quoted(trigger)])
        }
    }

    @Test func `only a server can hold out a device`() throws {
        for scope in [Scope.ingest, .read] {
            for trigger in [nil, "\"calendar\""] {
                try Sample.expectRejection(
                    .scopeInsufficient, naming: "kind", ["kind": "\"held_out\"", "trigger": trigger],
                    Sample.context(scope))
            }
        }
        for scope in [Scope.send, .manage] {
            #expect(try Sample.accepted(["kind": "\"held_out\""], Sample.context(scope)).verified)
        }
    }

    @Test func `the manage scope implies all others, and each other scope implies only itself`() {
        for scope in Scope.allCases {
            for other in Scope.allCases { #expect(scope.allows(other) == (scope == other || scope == .manage)) }
        }
    }

    @Test func `E48 - undeclared actions, notifications and versions are accepted`() throws {
        let event = try Sample.accepted([
            "kind": nil, "action_identifier": "\"never declared\"", "category_version": "99", "category_id": "\"?\"",
            "schema_version": "\"7\"",
        ])
        #expect(event.kind == .action)
        #expect(event.properties == "{\"schema_version\":\"7\"}")
    }
}
