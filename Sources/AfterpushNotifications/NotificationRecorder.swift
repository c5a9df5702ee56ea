#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    import AfterpushWire
    public import Foundation
    public import UserNotifications

    /// Records what `UNUserNotificationCenter` tells its delegate, and passes it on to the app's own delegate.
    ///
    /// ```swift
    /// let client = AfterpushClient(AfterpushConfiguration(url: url, key: key, appGroup: "group.com.example.shop"))
    /// let recorder = NotificationRecorder(client)
    /// recorder.attach(to: .current(), delegate: ownDelegate)
    /// ```
    ///
    /// Attach it before the app has finished launching, or the response that launched it is missed, and keep it: the
    /// centre does not. Whoever wants no other delegate in between calls ``record(_:completion:)`` and
    /// ``recordPresentation(of:with:)`` in their own.
    public final class NotificationRecorder: NSObject, UNUserNotificationCenterDelegate, Sendable {
        private struct Next {
            weak var delegate: (any UNUserNotificationCenterDelegate)?
        }

        private let client: AfterpushClient
        private let presentation: UNNotificationPresentationOptions
        private let appState: @Sendable () -> String?
        private let next = Locked(Next())

        /// - Parameters:
        ///   - presentation: what is shown in the foreground if the app's own delegate does not say.
        ///   - appState: asked at each response: `active`, `inactive` or `background`.
        public init(
            _ client: AfterpushClient, presentation: UNNotificationPresentationOptions = [.banner, .list, .sound],
            appState: @escaping @Sendable () -> String? = { nil }
        ) {
            self.client = client
            self.presentation = presentation
            self.appState = appState
        }

        /// Becomes the centre's delegate.
        ///
        /// - Parameter delegate: the app's own; by default the one that the centre has. It is not kept alive.
        public func attach(
            to center: UNUserNotificationCenter, delegate: (any UNUserNotificationCenterDelegate)? = nil
        ) {
            let own = UncheckedTransfer(delegate ?? center.delegate)
            if own.value !== self { next.withLock { $0.delegate = own.value } }
            center.delegate = self
        }

        // MARK: Explicit calls

        /// Records a response. The completion is called, elsewhere, once it is on the disk or can't be put there. What the
        /// app's content extension has recorded and forwarded is not recorded again.
        public func record(_ response: UNNotificationResponse, completion: @escaping @Sendable () -> Void = {}) {
            var event = DeviceEvent(response)
            event.appState = appState()
            client.recordUnlessForwarded(event, completion: completion)
        }

        /// Records what became of a notification that came while the app is in the foreground.
        public func recordPresentation(
            of notification: UNNotification, with options: UNNotificationPresentationOptions
        ) {
            client.record(DeviceEvent(presented: notification, with: options)) { _ in }
        }

        /// Records that a notification took the place of others: those that had its identifier, as a push with the same
        /// collapse id has.
        ///
        /// - Parameter delivered: as `getDeliveredNotifications` gave them before.
        public func recordReplacement(by notification: UNNotification, of delivered: [UNNotification]) {
            let new = NotificationReference(notification)
            for old in delivered where old.request.identifier.utf8.elementsEqual(notification.request.identifier.utf8) {
                let reference = NotificationReference(old)
                if reference.notificationID != new.notificationID { client.record(.replaced(reference)) { _ in } }
            }
        }

        // MARK: The delegate

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
        ) {
            let seen = { (options: UNNotificationPresentationOptions) in
                self.recordPresentation(of: notification, with: options)
                completionHandler(options)
            }
            if !passOn({ $0.willPresent(center, notification, seen) }) { seen(presentation) }
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            // The system may stop the app once the handler was called: not before the event is on the disk and the app's
            // own delegate is done. Handed over to the main thread, where UIKit wants it called.
            let handler = UncheckedTransfer(completionHandler)
            let both = Countdown(2) { DispatchQueue.main.async { handler.value() } }
            record(response) { both.count() }
            if !passOn({ $0.didReceive(center, response) { both.count() } }) { both.count() }
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
        ) {
            #if !os(watchOS)
                _ = passOn { $0.openSettings(center, notification) }
            #endif
        }

        /// Whether the app's own delegate has such a method, which then was called.
        private func passOn(_ call: (any UNUserNotificationCenterDelegate) -> Bool) -> Bool {
            let delegate = next.withLock { UncheckedTransfer($0.delegate) }.value
            return delegate.map(call) ?? false
        }
    }
#endif
