import AfterpushClient
import AfterpushNotifications
import AfterpushWire
import Events
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing
import UserNotifications
import UserNotificationsUI

/// A phone with an app that handles notifications as Apple's system delivers them and posts to a real collector.
final class SimulatedPhone {
    let app: TestApp
    let collector: CollectorProcess
    let client: AfterpushClient
    let center = UNUserNotificationCenter()
    let recorder: NotificationRecorder
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "phone-\(UUID().uuidString.prefix(8))")

    /// The client of another process of the app, an extension.
    let extensionClient: AfterpushClient

    init() async throws {
        app = try await TestApp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        var configuration = AfterpushConfiguration(
            url: try #require(URL(string: collector.url)), key: app.ingestKey, directory: directory, deviceID: "phone")
        configuration.details = { DeviceDetails(platform: .iOS, appVersion: "2.4") }
        configuration.delay = 0.1
        client = AfterpushClient(configuration)
        extensionClient = AfterpushClient(configuration)
        recorder = NotificationRecorder(client, appState: { "background" })
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    /// A notification with a payload, as the system creates it.
    func notification(
        _ payload: String, identifier: String = UUID().uuidString,
        trigger: UNNotificationTrigger? = UNPushNotificationTrigger(), at date: Date = Date()
    ) throws -> UNNotification {
        let content = UNMutableNotificationContent()
        let object = try JSONSerialization.jsonObject(with: Data(payload.utf8))
        content.userInfo = try #require(object as? [String: Any])
        content.categoryIdentifier = (content.userInfo["aps"] as? [String: Any])?["category"] as? String ?? ""
        return UNNotification(
            date: date, request: UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }

    /// Responds to a notification, and returns when the app may be suspended again.
    func respond(_ identifier: String, to notification: UNNotification, text: String? = nil) async {
        let delegate = center.delegate
        await withCheckedContinuation { continuation in
            delegate?.userNotificationCenter(
                center, didReceive: Self.response(identifier, to: notification, text: text)
            ) { continuation.resume() }
        }
    }

    static func response(
        _ identifier: String, to notification: UNNotification, text: String? = nil
    ) -> UNNotificationResponse {
        text.map {
            UNTextInputNotificationResponse(notification: notification, actionIdentifier: identifier, userText: $0)
        } ?? UNNotificationResponse(notification: notification, actionIdentifier: identifier)
    }

    /// Presents a notification while the app is in the foreground.
    func present(_ notification: UNNotification) async -> UNNotificationPresentationOptions {
        let delegate = center.delegate
        return await withCheckedContinuation { continuation in
            delegate?.userNotificationCenter(center, willPresent: notification) { continuation.resume(returning: $0) }
        }
    }

    /// Declares categories as the app's server does.
    func put(_ categories: String) async throws {
        let key = try await app.registry.createKey(app: app.app, scope: .manage)
        let curl = try await Program.run(
            [
                "-sS", "-X", "PUT", "-H", "Authorization: Bearer \(key)", "-H", "Content-Type: application/json",
                "--data-binary", categories, collector.url + "/v1/categories",
            ], program: URL(filePath: "/usr/bin/curl"))
        #expect(curl.output.hasPrefix(#"{"changed":[{"#), "\(curl.output)\(curl.error)")
    }

    /// Columns of all stored events as text, in the order of their times.
    func stored(_ columns: String, count: Int) async throws -> [String] {
        try await app.waitUntil("\(count) events are stored") { [client] in
            _ = await client.flush(within: 10)
            return try await self.app.value("select count(*) from afterpush.events") == String(count)
        }
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "0")
        let text = try await app.value(
            """
            select string_agg(concat_ws(' ', \(columns)), '|' order by occurred_at, kind) from afterpush.events
            """)
        return (text ?? "").components(separatedBy: "|")
    }
}

/// A delegate of the app itself, which remembers the calls that it received.
final class RecordingDelegate: NSObject, UNUserNotificationCenterDelegate {
    let seen = Mutex<[String]>([])

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        seen.withLock { $0.append("present") }
        completionHandler([.sound])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        seen.withLock { $0.append(response.actionIdentifier) }
        completionHandler()
    }
}
