import AfterpushClient
import AfterpushNotifications
import AfterpushWire
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import UserNotifications
import UserNotificationsUI

/// Tests the notification systems of product.md, from the adapters to the database. On Linux UserNotifications is a
/// stand-in with Apple's signatures; the behavior of Apple's framework can be tested only on a Mac.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AppleAdapterTests {
    private static let payload = """
        { "aps": { "alert": "Sale", "category": "flash-sale", "mutable-content": 1 }, "msgid": "123",
          "campaign": "spring-2026", "variant": "b" }
        """

    @Test func `S1: tap, dismissal, button and presentation are recorded by the notification centre's delegate`()
        async throws
    {
        let phone = try await SimulatedPhone()
        phone.recorder.attach(to: phone.center)
        let notification = try phone.notification(Self.payload)
        #expect(await phone.present(notification) == [.banner, .list, .sound])
        await phone.respond(UNNotificationDefaultActionIdentifier, to: notification)
        await phone.respond("book", to: notification)
        await phone.respond(UNNotificationDismissActionIdentifier, to: notification)
        let columns = """
            kind, action_identifier, notification_id, device_id, campaign_id, variant, category_id, platform,
            app_version, trigger, handling, app_state, surface
            """
        let details = "123 phone spring-2026 b flash-sale ios 2.4 push"
        #expect(
            try await phone.stored(columns, count: 4) == [
                "displayed \(details) active foreground",
                "opened \(UNNotificationDefaultActionIdentifier) \(details) app background",
                "action book \(details) app background",
                "dismissed \(UNNotificationDismissActionIdentifier) \(details) app background",
            ])
    }

    @Test func `S1: the app's own delegate receives every call and decides how notifications are presented`()
        async throws
    {
        let phone = try await SimulatedPhone()
        let own = RecordingDelegate()
        phone.center.delegate = own
        phone.recorder.attach(to: phone.center)
        let notification = try phone.notification(Self.payload)
        #expect(await phone.present(notification) == [.sound])
        await phone.respond("book", to: notification)
        #expect(own.seen.withLock { $0 } == ["present", "book"])
        // With only a sound nothing is displayed: the notification counts as delivered.
        #expect(try await phone.stored("kind, handling", count: 2) == ["delivered app", "action app"])
    }

    @Test func `S1: explicit calls record events without a delegate`() async throws {
        let phone = try await SimulatedPhone()
        let notification = try phone.notification(Self.payload)
        phone.recorder.recordPresentation(of: notification, with: [.banner])
        await withCheckedContinuation { continuation in
            phone.recorder.record(SimulatedPhone.response("book", to: notification)) { continuation.resume() }
        }
        #expect(try await phone.stored("kind", count: 2) == ["displayed", "action"])
    }

    @Test func `S2: typed text is recorded as a reply`() async throws {
        let phone = try await SimulatedPhone()
        phone.recorder.attach(to: phone.center)
        await phone.respond("answer", to: try phone.notification(Self.payload), text: "Längere Öffnungszeiten 👍")
        #expect(
            try await phone.stored("kind, action_identifier, text_length", count: 1) == ["text_input answer 29"])
        #expect(
            try await phone.app.value("select user_text from afterpush.replies") == "Längere Öffnungszeiten 👍")
    }

    @Test
    func
        `S5: categories are fetched from the collector, cached while it is unreachable, and record the offered version`()
        async throws
    {
        let phone = try await SimulatedPhone()
        let bundled = Data(
            """
            {"NotificationConfig":{"UNNotificationCategory":{"survey":{"identifier":"survey","actions":["answer"],\
            "options":1}},"UNNotificationAction":{"answer":{"identifier":"answer","title":"Tell us","options":4,\
            "textInput":{"buttonTitle":"Send","placeholder":"What?"}}}}}
            """.utf8)
        func described() -> [String] {
            phone.center.categories.map { category in
                let actions = category.actions.map { action in
                    let input = (action as? UNTextInputNotificationAction).map {
                        " [\($0.textInputButtonTitle), \($0.textInputPlaceholder)]"
                    }
                    return "\(action.identifier) '\(action.title)' \(action.options.rawValue)\(input ?? "")"
                }
                return "\(category.identifier) \(category.options.rawValue): " + actions.joined(separator: ", ")
            }.sorted()
        }
        // The first start without a network.
        phone.collector.signal(SIGSTOP)
        var configuration = phone.client.configuration
        configuration.requestTimeout = 0.2
        await AfterpushClient(configuration).registerCategories(with: phone.center, bundled: bundled)
        #expect(described() == ["survey 1: answer 'Tell us' 4 [Send, What?]"])
        phone.collector.signal(SIGCONT)

        try await phone.put(
            """
            {"categories":[{"identifier":"flash-sale","options":["customDismissAction"],"actions":[\
            {"identifier":"book","title":"Book now","options":["foreground","authenticationRequired"]},\
            {"identifier":"ask","title":"Ask","text_input":{"button_title":"Send"}}]}]}
            """)
        await phone.client.registerCategories(with: phone.center, bundled: bundled)
        #expect(described() == ["flash-sale 1: book 'Book now' 5, ask 'Ask' 0 [Send, ]"])
        #expect(await phone.client.fetchCategories() == nil, "nothing changed")

        // The collector declares a version that this phone has not registered.
        try await phone.put(#"{"categories":[{"identifier":"flash-sale","actions":[{"identifier":"x","title":"X"}]}]}"#)
        phone.recorder.attach(to: phone.center)
        await phone.respond("book", to: try phone.notification(Self.payload))
        #expect(try await phone.stored("category_id, category_version", count: 1) == ["flash-sale 1"])
        #expect(await phone.extensionClient.fetchCategories()?.first?.version == 2)
        #expect(phone.client.categories().map(\.version) == [2], "all processes have the fetched categories")
    }

    @Test func `S6: the service extension records confirmations, failed attachments and expiry`() async throws {
        let phone = try await SimulatedPhone()
        let notification = try phone.notification(Self.payload)
        let shown = Mutex<[String]>([])
        // A request that completes.
        await withCheckedContinuation { continuation in
            let confirmation = DeliveryConfirmation(of: notification.request, phone.extensionClient) { content in
                shown.withLock { $0.append(content.title) }
                continuation.resume()
            }
            confirmation.content.title = "Decrypted"
            confirmation.recordAttachmentFailure(reason: "404")
            confirmation.finish()
        }
        // The confirmation is sent by then, without the app.
        #expect(try await phone.app.value("select count(*) from afterpush.events where kind = 'delivered'") == "1")
        // A request whose time expires.
        let late = try phone.notification(#"{ "aps": { "alert": "x" }, "msgid": "124" }"#)
        let expired = DeliveryConfirmation(of: late.request, phone.extensionClient) { content in
            shown.withLock { $0.append("best attempt") }
        }
        expired.expire()
        // Too late to have an effect.
        expired.finish()
        #expect(
            try await phone.stored("notification_id, kind, reason, handling", count: 4) == [
                "123 delivered extension", "123 attachment_failed 404 extension", "124 delivered extension",
                "124 extension_expired extension",
            ])
        #expect(shown.withLock { $0 } == ["Decrypted", "best attempt"], "each notification is shown once")
    }

    @Test func `S6: an unreachable collector does not delay a notification`() async throws {
        let phone = try await SimulatedPhone()
        let notification = try phone.notification(Self.payload)
        phone.collector.signal(SIGSTOP)
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
            let confirmation = DeliveryConfirmation(of: notification.request, phone.extensionClient, timeout: 1) { _ in
                continuation.resume()
            }
            confirmation.finish()
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        phone.collector.signal(SIGCONT)
        // The app sends the event later.
        #expect(try await phone.stored("kind", count: 1) == ["delivered"])
    }

    @Test
    func `S7: responses and media events of the content extension count once, whether it or the app handles them`()
        async throws
    {
        let phone = try await SimulatedPhone()
        phone.recorder.attach(to: phone.center)
        let view = ContentExtensionRecorder(phone.extensionClient)
        let notification = try phone.notification(Self.payload)
        view.recordDisplay(of: notification)
        view.recordMediaPlay()
        view.recordMediaPause()
        let options: [UNNotificationContentExtensionResponseOption] = [
            .doNotDismiss, .dismiss, .dismissAndForwardAction,
        ]
        for (index, option) in options.enumerated() {
            let response = SimulatedPhone.response("action-\(index)", to: notification)
            let given = await withCheckedContinuation { continuation in
                view.record(response, option: option) { continuation.resume(returning: $0) }
            }
            #expect(given == option)
        }
        // The last response reaches the app, too, and later the person taps the same button again.
        await phone.respond("action-2", to: notification)
        await phone.respond("action-2", to: notification)
        #expect(
            try await phone.stored("kind, action_identifier, handling, surface", count: 7) == [
                "displayed extension content_extension", "media_played extension", "media_paused extension",
                "action action-0 extension", "action action-1 extension", "action action-2 forwarded",
                "action action-2 app",
            ])
    }

    @Test func `S8: local notifications are identified by request and time, and pushed ones by payload or request`()
        async throws
    {
        let phone = try await SimulatedPhone()
        phone.recorder.attach(to: phone.center)
        let day = Date(timeIntervalSince1970: 1_790_000_000.75)
        let triggers: [UNNotificationTrigger?] = [
            UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false),
            UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 9), repeats: true),
            UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 9), repeats: true),
            UNLocationNotificationTrigger(repeats: false), UNPushNotificationTrigger(), nil,
        ]
        for (days, trigger) in triggers.enumerated() {
            let notification = try phone.notification(
                "{}", identifier: "reminder", trigger: trigger, at: day.addingTimeInterval(Double(days) * 86_400))
            await phone.respond("done", to: notification)
        }
        let named = try phone.notification(#"{ "msgid": 77 }"#, identifier: "reminder", trigger: triggers[0])
        await phone.respond("done", to: named)
        #expect(
            try await phone.stored("trigger, notification_id", count: 7) == [
                "time_interval reminder@2026-09-21T14:13:20Z", "calendar reminder@2026-09-22T14:13:20Z",
                "calendar reminder@2026-09-23T14:13:20Z", "location reminder@2026-09-24T14:13:20Z", "push reminder",
                "time_interval reminder@2026-09-26T14:13:20Z", "time_interval 77",
            ])
    }

    @Test func `S10: tokens and permission are recorded together with their changes`() async throws {
        let phone = try await SimulatedPhone()
        try await phone.client.recordToken(Data([1, 2, 3]))
        try await phone.extensionClient.recordToken(Data([1, 2, 3]))
        try await phone.client.recordToken(Data([1, 2, 4]))
        try await phone.client.record(.tokenFailed(reason: "no connection"))
        for status: UNAuthorizationStatus in [.notDetermined, .authorized, .provisional, .denied, .denied] {
            try await phone.client.recordPermission(status)
        }
        #expect(
            try await phone.stored("kind, properties ->> 'token_changed', reason, notification_id", count: 6) == [
                "token_registered true", "token_registered false", "token_registered true",
                "token_failed no connection", "permission_granted", "permission_revoked",
            ])
        // The token itself is not recorded.
        #expect(
            try await phone.app.value("select count(*) from afterpush.events where events::text like '%010204%'") == "0"
        )
    }

    @Test func `S11: read receipts name the notification, and a replaced notification is found by its collapse id`()
        async throws
    {
        let phone = try await SimulatedPhone()
        let old = try phone.notification(#"{ "msgid": "1" }"#, identifier: "score")
        let other = try phone.notification(#"{ "msgid": "2" }"#, identifier: "news")
        let new = try phone.notification(#"{ "msgid": "3" }"#, identifier: "score")
        phone.recorder.recordReplacement(by: new, of: [old, other, new])
        try await phone.client.record(.read(NotificationReference(new)))
        #expect(try await phone.stored("kind, notification_id", count: 2) == ["replaced 1", "read 3"])
    }

    @Test func `S12: a receipt in the payload makes device events verified`() async throws {
        let phone = try await SimulatedPhone()
        phone.recorder.attach(to: phone.center)
        let body =
            #"{"receipts":[{"notification_id":"from-receipt","device_id":"as-the-server-knows","campaign_id":"c"}]}"#
        let response = try await TestClient(url: phone.collector.url)
            .post("/v1/receipts", Data(body.utf8), key: phone.app.sendKey)
        let receipt = try #require(try response.json()["receipts"] as? [String]).first ?? ""
        let notification = try phone.notification(#"{ "aps": {}, "msgid": "other", "afterpush": "\#(receipt)" }"#)
        await phone.respond("book", to: notification)
        #expect(
            try await phone.stored("notification_id, device_id, campaign_id, verified", count: 1) == [
                "from-receipt as-the-server-knows c t"
            ])
    }
}
