#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    import AfterpushWire
    public import Foundation
    public import UserNotifications

    /// A notification center delegate that records responses and presentations, and passes every call on to the app's own
    /// delegate.
    ///
    /// ```swift
    /// let client = AfterpushClient(AfterpushConfiguration(url: url, key: key, appGroup: "group.com.example.shop"))
    /// let recorder = NotificationRecorder(client)
    /// recorder.attach(to: .current(), delegate: ownDelegate)
    /// ```
    ///
    /// Attach it before the app has finished launching, or the response that launched the app is missed. Keep the
    /// recorder: the center doesn't retain its delegate.
    ///
    /// If you want no other delegate in between, don't attach it. Call ``record(_:completion:)`` and
    /// ``recordPresentation(of:with:)`` in your own delegate instead.
    ///
    /// All methods may be called on the main thread: none waits for the disk or the network.
    public final class NotificationRecorder: NSObject, UNUserNotificationCenterDelegate, Sendable {
        private struct AppDelegate {
            weak var value: (any UNUserNotificationCenterDelegate)?
        }

        private let client: AfterpushClient
        private let presentation: UNNotificationPresentationOptions
        private let appState: @Sendable () -> String?
        private let appDelegate = Locked(AppDelegate())

        /// Creates a recorder, which does nothing until it is attached.
        ///
        /// - Parameters:
        ///   - presentation: How notifications are shown in the foreground if the app's own delegate doesn't decide it.
        ///   - appState: Returns the state of the app at a response: `active`, `inactive` or `background`.
        public init(
            _ client: AfterpushClient, presentation: UNNotificationPresentationOptions = [.banner, .list, .sound],
            appState: @escaping @Sendable () -> String? = { nil }
        ) {
            self.client = client
            self.presentation = presentation
            self.appState = appState
        }

        /// Makes the recorder the delegate of the center.
        ///
        /// - Parameter delegate: The app's own delegate, by default the one that the center has. It is not retained.
        public func attach(
            to center: UNUserNotificationCenter, delegate: (any UNUserNotificationCenterDelegate)? = nil
        ) {
            // Safe to transfer, because it is only stored.
            let own = UncheckedTransfer(delegate ?? center.delegate)
            if own.value !== self { appDelegate.withLock { $0.value = own.value } }
            center.delegate = self
        }

        // MARK: Explicit calls

        /// Records a response, unless the app's content extension has recorded and forwarded it.
        ///
        /// - Parameter completion: Called once, on a background queue, when the event is on disk or could not be stored.
        public func record(_ response: UNNotificationResponse, completion: @escaping @Sendable () -> Void = {}) {
            var event = DeviceEvent(response)
            event.appState = appState()
            client.recordUnlessForwarded(event, completion: completion)
        }

        /// Records a notification that arrived while the app was in the foreground: as displayed if the options show it,
        /// otherwise as delivered.
        public func recordPresentation(
            of notification: UNNotification, with options: UNNotificationPresentationOptions
        ) {
            client.record(DeviceEvent(presented: notification, with: options)) { _ in }
        }

        /// Records that a notification has replaced others: those with the same request identifier, as pushes with the
        /// same collapse id have.
        ///
        /// - Parameter delivered: The notifications that `getDeliveredNotifications` returned before.
        public func recordReplacement(by notification: UNNotification, of delivered: [UNNotification]) {
            let new = NotificationReference(notification)
            for old in delivered where old.request.identifier.utf8.elementsEqual(notification.request.identifier.utf8) {
                let reference = NotificationReference(old)
                if reference.notificationID != new.notificationID { client.record(.replaced(reference)) { _ in } }
            }
        }

        // MARK: UNUserNotificationCenterDelegate

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
            withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
        ) {
            let complete = { (options: UNNotificationPresentationOptions) in
                self.recordPresentation(of: notification, with: options)
                completionHandler(options)
            }
            if !forward({ $0.willPresent(center, notification, complete) }) { complete(presentation) }
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            // The system may stop the app after the handler was called: so it is called when the event is on disk and the
            // app's own delegate is done. Safe to transfer, because it is called only on the main thread, where UIKit
            // expects it.
            let handler = UncheckedTransfer(completionHandler)
            let both = CompletionCounter(2) { DispatchQueue.main.async { handler.value() } }
            record(response) { both.complete() }
            if !forward({ $0.didReceive(center, response) { both.complete() } }) { both.complete() }
        }

        public func userNotificationCenter(
            _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
        ) {
            #if !os(watchOS)
                _ = forward { $0.openSettings(center, notification) }
            #endif
        }

        /// Calls a method of the app's own delegate. Returns false if there is no delegate or it lacks the method.
        private func forward(_ call: (any UNUserNotificationCenterDelegate) -> Bool) -> Bool {
            // Safe to transfer, because delegates are called on the thread on which the system calls the recorder.
            let delegate = appDelegate.withLock { UncheckedTransfer($0.value) }.value
            return delegate.map(call) ?? false
        }
    }

    /// A counter that calls an action once, after a number of completions.
    ///
    /// Unlike a `DispatchGroup`, it tolerates an app that calls its completion handler twice.
    private final class CompletionCounter: Sendable {
        private let remaining: Locked<Int>
        private let action: @Sendable () -> Void

        init(_ count: Int, _ action: @escaping @Sendable () -> Void) {
            remaining = Locked(count)
            self.action = action
        }

        func complete() {
            let isLast = remaining.withLock { remaining in
                remaining -= 1
                return remaining == 0
            }
            if isLast { action() }
        }
    }

    /// A value that is transferred to another thread and not used on the first one again.
    // Safe: it is used for completion handlers of UserNotifications, which may be called on any thread, and for values that
    // are passed to them once. A comment at each use says which.
    struct UncheckedTransfer<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }
#endif
