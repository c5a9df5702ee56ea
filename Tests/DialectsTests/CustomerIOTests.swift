import AfterpushWire
import Crypto
import Dialects
import Foundation
import Testing

struct CustomerIOTests {
    /// An event of a message in the form of reporting webhooks.
    private static func event(
        _ metric: String, _ data: String, id: String = "01E4C4HDQ7P1X9KTKF0ZX7PWHE", type: String = "push"
    ) -> String {
        #"""
        {"data": {"action_id": 37, "broadcast_id": 9, "customer_id": "0200102", "identifiers": {"id": "0200102"},
          "delivery_id": "RPIL"\#(data)},
         "event_id": "\#(id)", "object_type": "\#(type)", "metric": "\#(metric)", "timestamp": 1779999000}
        """#
    }

    private func post(_ metric: String, _ data: String = recipient, type: String = "push") throws -> Posted {
        try Posted(Self.event(metric, data, type: type), to: "/v1/hooks/customerio")
    }

    private static let recipient = #", "recipients": [{"device_id": "tok-1", "device_platform": "android"}]"#
    private static let recipients =
        #", "recipients": [{"device_id": "tok-1", "device_platform": "android"}, {"device_id": "tok-2", "device_platform": "ios", "failure_message": "Unregistered"}]"#
    private static let names = "notification_id=RPIL device_id=tok-1 campaign_id=9 platform=android"

    @Test(arguments: [
        ("sent", "sent"), ("delivered", "delivered"), ("opened", "opened"), ("clicked", "opened"),
        ("converted", "converted"), ("Opened", "opened"),
    ])
    func `a metric of push becomes a native kind`(metric: String, kind: String) throws {
        let posted = try post(metric)
        #expect(posted.events == ["kind=\(kind) \(Self.names)"])
        #expect(posted.submission.events.first?.text(.occurredAt) == "2026-05-28T20:10:00Z")
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `a push that was sent to several devices of a person counts on each`() throws {
        let posted = try post("sent", Self.recipients)
        #expect(
            posted.events == [
                "kind=sent \(Self.names)", "kind=sent notification_id=RPIL device_id=tok-2 campaign_id=9 platform=ios",
            ])
        #expect(Set(posted.ids).count == 2)
        #expect(try post("sent", Self.recipients).ids == posted.ids)
    }

    @Test(arguments: ["bounced", "failed", "dropped", "undeliverable"])
    func `a failure counts on each device with its reason, and one of a gone token is a lost token`(
        metric: String
    ) throws {
        let posted = try post(metric, Self.recipients)
        #expect(
            posted.events == [
                "kind=failed \(Self.names) reason=\(metric)",
                "kind=failed notification_id=RPIL device_id=tok-2 campaign_id=9 platform=ios reason=Unregistered",
                "kind=token_failed device_id=tok-2 platform=ios reason=Unregistered",
            ])
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `a failure before there was a device is ignored`() throws {
        let posted = try post("undeliverable", #", "failure_message": "NoDevicesSynced""#)
        #expect(posted.events.isEmpty && posted.ignored == ["push undeliverable: no_device"])
        #expect(posted.answer.status == 200)
    }

    @Test func `opened and clicked are the same tap, and clicked keeps its link`() throws {
        let opened = try post("opened")
        let clicked = try Posted(
            Self.event(
                "clicked", Self.recipient + #", "href": "https://example.com/a", "link_id": 1"#,
                id: "01E4C4HDQ7P1X9KTKF0ZX7PWHF"),
            to: "/v1/hooks/customerio")
        #expect(clicked.ids == opened.ids && opened.ids.count == 1)
        #expect(clicked.body.contains(#""href":"https://example.com/a""#))
    }

    @Test func `a response comes from one device, even if the event lists several`() throws {
        #expect(try post("opened", Self.recipients).events == ["kind=opened \(Self.names)"])
        #expect(try post("converted", Self.recipients).events == ["kind=converted \(Self.names)"])
        #expect(try post("delivered", Self.recipients).events.count == 2)
    }

    @Test func `the person is the device if there is no other, and an address is hashed`() throws {
        #expect(try post("opened", "").submission.events.first?.text(.deviceID) == "0200102")
        let address = try Posted(
            #"{"data": {"customer_id": "ada@example.com", "delivery_id": "RPIL"}, "object_type": "push", "metric": "opened"}"#,
            to: "/v1/hooks/customerio")
        #expect(address.submission.events.first?.text(.deviceID)?.hasPrefix("sha256:") == true)
        #expect(!address.body.contains("ada@"))
        let byPerson = try Posted(Self.event("sent", Self.recipients), to: "/v1/hooks/customerio") {
            $0.deviceOrder = [.userID]
        }
        #expect(Set(byPerson.ids).count == 1)
    }

    @Test(arguments: [
        (#""campaign_id": 3, "broadcast_id": 9"#, "3"), (#""newsletter_id": 4"#, "4"),
        (#""transactional_message_id": 5"#, "5"),
    ])
    func `whatever sent the message is its campaign`(data: String, campaign: String) throws {
        let posted = try Posted(
            #"{"data": {\#(data), "customer_id": "c", "delivery_id": "d"}, "object_type": "push", "metric": "opened"}"#,
            to: "/v1/hooks/customerio")
        #expect(posted.submission.events.first?.text(.campaignID) == campaign)
    }

    @Test(arguments: [
        ("push", "drafted", "other_type"), ("push", "attempted", "other_type"), ("email", "opened", "other_type"),
        ("in_app", "clicked", "other_type"), ("sms", "sent", "other_type"), ("customer", "subscribed", "other_type"),
        ("push", "teleported", "unknown_name"),
    ])
    func `other steps and channels are ignored and answered 200, so that no webhook waits behind`(
        type: String, metric: String, reason: String
    ) throws {
        let posted = try post(metric, type: type)
        #expect(posted.events.isEmpty && posted.ignored == ["\(type) \(metric): \(reason)"])
        #expect(posted.answer.status == 200)
    }

    @Test func `a list of events is read, too, and odd members cost only themselves`() throws {
        let posted = try Posted(
            #"{"events": [\#(Self.event("sent", Self.recipient)), null, {}, {"object_type": "push", "metric": "sent", "data": {"recipients": {}}}]}"#,
            to: "/v1/hooks/customerio")
        #expect(posted.events == ["kind=sent \(Self.names)"])
        #expect(posted.ignored == [": malformed", " : other_type", "push sent: no_notification"])
    }

    @Test func `more recipients than events are allowed are refused as a whole`() throws {
        let many = Array(repeating: #"{"device_id":"a"}"#, count: 2_501).joined(separator: ",")
        let event = Self.event("sent", #", "recipients": [\#(many)]"#)
        #expect(throws: DialectError.tooManyEvents(limit: 5_000)) {
            try Posted("[\(event),\(event)]", to: "/v1/hooks/customerio")
        }
    }
}

struct CustomerIOSignatureTests {
    private static let body = #"{"metric":"sent","object_type":"push","data":{}}"#
    private static let seconds = Posted.arrival.microseconds / 1_000_000

    /// Posts with a signature of `v0:TIME:BODY`.
    private func post(
        _ body: String = body, signed: String = body, at seconds: Int64 = seconds, signedAt: String? = nil,
        secret: String = "s3cret", with secrets: [String: String] = ["customerio": "s3cret"], prefix: String = "v0"
    ) throws {
        let text = "\(prefix):\(signedAt ?? String(seconds)):\(signed)"
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(text.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        let hex = code.map { String(format: "%02x", $0) }.joined()
        try post(body, ["x-cio-timestamp": "\(seconds)", "x-cio-signature": hex], with: secrets)
    }

    private func post(
        _ body: String, _ headers: [String: String], with secrets: [String: String] = ["customerio": "s3cret"]
    ) throws {
        _ = try Posted(body, to: "/v1/hooks/customerio", headers: headers) { $0.signingSecrets = secrets }
    }

    @Test func `the documented signature is accepted`() throws {
        try post()
        // HMAC-SHA-256 of "v0:1780000000:{}" by the key "s3cret", by OpenSSL; hexadecimal digits may be of either case.
        let signature = "3ca2ce973c31987ff4845a851cff630cf19dbd90ad0090a9f387b527a60983a6"
        try post("{}", ["x-cio-timestamp": "1780000000", "x-cio-signature": signature])
        try post("{}", ["x-cio-timestamp": "1780000000", "x-cio-signature": signature.uppercased()])
    }

    @Test func `a time within 300 seconds is accepted, and no other`() throws {
        for difference: Int64 in [-300, 0, 300] { try post(at: Self.seconds + difference) }
        for difference: Int64 in [-301, 301, 1_000_000_000_000] {
            #expect(throws: DialectError.self) { try post(at: Self.seconds + difference) }
        }
        for time in ["", "soon", "9223372036854775807", "-9223372036854775808"] {
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("v0:\(time):{}".utf8), using: SymmetricKey(data: Data("s3cret".utf8)))
            let hex = code.map { String(format: "%02x", $0) }.joined()
            #expect(throws: DialectError.self) { try post("{}", ["x-cio-timestamp": time, "x-cio-signature": hex]) }
        }
    }

    @Test func `a signature of something else is refused`() throws {
        #expect(throws: DialectError.self) { try post(signed: Self.body + " ") }
        #expect(throws: DialectError.self) { try post(signedAt: "1") }
        #expect(throws: DialectError.self) { try post(secret: "other") }
        #expect(throws: DialectError.self) { try post(prefix: "v1") }
        for signature in ["", "0", "zz", "00", String(repeating: "0", count: 64)] {
            #expect(throws: DialectError.self) {
                try post("{}", ["x-cio-timestamp": "\(Self.seconds)", "x-cio-signature": signature])
            }
        }
        #expect(throws: DialectError.self) { try post("{}", ["x-cio-timestamp": "\(Self.seconds)"]) }
        #expect(throws: DialectError.self) { try post("{}", [:]) }
    }

    @Test func `no signature is checked without a secret of this webhook`() throws {
        for secrets in [[:], ["customerio": ""], ["other": "s3cret"]] { try post("{}", [:], with: secrets) }
    }
}

struct CustomerIOTrackTests {
    @Test(arguments: ["/push/events", "/api/v1/push/events", "/api/v1/metrics"])
    func `what an app reports by hand is an event of its device`(path: String) throws {
        let posted = try Posted(
            #"{"delivery_id": "RPIL", "device_id": "tok-1", "event": "opened", "timestamp": 1779999000}"#, to: path)
        #expect(posted.events == ["kind=opened notification_id=RPIL device_id=tok-1"])
        let metric = try Posted(
            #"{"delivery_id": "RPIL", "recipient": "tok-1", "metric": "delivered", "timestamp": 1779999000}"#, to: path)
        #expect(metric.events == ["kind=delivered notification_id=RPIL device_id=tok-1"])
        #expect(try posted.rejections.isEmpty)
        #expect(try metric.rejections.isEmpty)
    }

    @Test func `the same opening by the app and by the webhook counts once`() throws {
        let app = try Posted(
            #"{"delivery_id": "RPIL", "device_id": "tok-1", "event": "opened", "timestamp": 1779999000}"#,
            to: "/push/events")
        let webhook = try Posted(
            #"{"data": {"delivery_id": "RPIL", "recipients": [{"device_id": "tok-1"}]}, "event_id": "E", "object_type": "push", "metric": "opened", "timestamp": 1779999001}"#,
            to: "/v1/hooks/customerio")
        #expect(app.ids == webhook.ids && app.ids.count == 1)
    }

    @Test func `a report of an e-mail is none of push`() throws {
        let posted = try Posted(
            #"{"delivery_id": "d", "recipient": "ada@example.com", "metric": "opened"}"#, to: "/api/v1/metrics")
        #expect(posted.ignored == ["push opened: other_type"])
    }

    @Test func `an unknown metric is ignored and answered 200`() throws {
        let posted = try Posted(#"{"delivery_id": "d", "recipient": "t", "metric": "waved"}"#, to: "/api/v1/metrics")
        #expect(posted.ignored == ["push waved: unknown_name"])
        #expect(posted.answer.status == 200)
    }

    /// The requests of the Python client, version 3.2.0.
    @Test func `an event of a person has a name that says what it is`() throws {
        let posted = try Posted(
            #"{"name": "Order Completed", "data": {"delivery_id": "RPIL", "total": 3.5, "currency": "eur", "order_id": 7, "email": "secret"}, "id": "01E4C4HDQ7P1X9KTKF0ZX7PWHE", "timestamp": 1779999000}"#,
            to: "/api/v1/customers/u%201%40x/events")
        #expect(
            posted.events == ["kind=converted notification_id=RPIL device_id=u 1@x name=Order Completed currency=EUR"])
        #expect(posted.body.contains(#""value":3.5"#) && posted.body.contains(#""order_id":"7""#))
        #expect(!posted.body.contains("secret"))
        #expect(try posted.rejections.isEmpty)
    }

    @Test func `an event of nobody in particular has an anonymous ID`() throws {
        let posted = try Posted(
            #"{"name": "push opened", "data": {"delivery_id": "RPIL"}, "anonymous_id": "anon1"}"#, to: "/api/v1/events")
        #expect(posted.events == ["kind=opened notification_id=RPIL device_id=anon1"])
    }

    @Test(arguments: [
        (#"{"name": "purchase", "data": {"total": 3}}"#, "purchase: unknown_name"),
        (#"{"type": "page", "name": "http://x", "data": {}}"#, "page: other_type"),
        (#"{"name": "push opened", "data": {}}"#, "push opened: no_notification"),
    ])
    func `other events of a person are ignored`(body: String, ignored: String) throws {
        #expect(try Posted(body, to: "/api/v1/customers/u1/events").ignored == [ignored])
    }

    @Test func `a device of a person is a registered token`() throws {
        let posted = try Posted(
            #"{"device": {"last_used": 1779999000, "id": "tok1", "platform": "ios"}}"#,
            to: "/api/v1/customers/u1/devices",
            method: "PUT")
        #expect(posted.events == ["kind=token_registered device_id=tok1 platform=ios"])
        #expect(try posted.rejections.isEmpty)
    }

    @Test(arguments: [
        ("PUT", "/api/v1/customers/u1"), ("DELETE", "/api/v1/customers/u1"),
        ("DELETE", "/api/v1/customers/u1/devices/tok1"),
    ])
    func `what else the client asks for is answered and not read`(method: String, path: String) throws {
        let request = DialectRequest(method, path)
        let (dialect, route) = try #require(DialectTable.find(request))
        #expect(route.purpose == .sideCall)
        #expect(dialect.answer(DialectOutcome(received: 0, receivedAt: Posted.arrival), to: request).status == 200)
    }
}

struct SigningSecretTests {
    private func configuration(
        _ json: String, replacing current: DialectConfiguration = DialectConfiguration()
    ) throws -> DialectConfiguration {
        try DialectConfiguration(Array(json.utf8), replacing: current)
    }

    @Test func `a secret of the app is used for signatures, and stored but not shown`() throws {
        let set = try configuration(#"{"signing_secrets": {"customerio": "s3cret"}}"#)
        #expect(set.settings(receivedAt: Posted.arrival).signingSecrets == ["customerio": "s3cret"])
        #expect(set.json.contains("s3cret"))
        #expect(set.shownJSON.contains(#""signing_secrets":{"customerio":null}"#) && !set.shownJSON.contains("s3cret"))
        #expect(try configuration(set.json) == set)
        #expect(!DialectConfiguration().json.contains("signing_secrets"))
    }

    @Test(arguments: [
        ("{}", "s3cret"), (#"{"mappings": [{"event": "a", "kind": "opened"}]}"#, "s3cret"),
        (#"{"signing_secrets": {"customerio": null}}"#, "s3cret"),
        (#"{"signing_secrets": {"customerio": "new"}}"#, "new"), (#"{"signing_secrets": {}}"#, nil),
    ])
    func `a secret is kept unless a body replaces or leaves it out`(json: String, secret: String?) throws {
        let current = try configuration(#"{"signing_secrets": {"customerio": "s3cret"}}"#)
        let changed = try configuration(json, replacing: current)
        #expect(changed.signingSecrets["customerio"] == secret)
        #expect(try configuration(current.shownJSON, replacing: current) == current)
    }

    @Test(arguments: [
        #"{"signing_secrets": {"braze": "x"}}"#, #"{"signing_secrets": {"customerio": ""}}"#,
        #"{"signing_secrets": {"customerio": "a\u0000"}}"#, #"{"signing_secrets": ["customerio"]}"#,
        #"{"signing_secrets": {"customerio": 7}}"#,
    ])
    func `a secret of a webhook that signs nothing, or none at all, is refused`(json: String) {
        #expect(throws: DialectConfigurationError.self) { try configuration(json) }
    }
}
