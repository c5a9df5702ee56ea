#if canImport(UserNotificationsUI) && !os(tvOS) && !os(watchOS)
    public import AfterpushClient
    import AfterpushWire
    import Foundation
    public import UserNotifications
    public import UserNotificationsUI

    /// A recorder for a content extension: it records the display, the responses and the media of the custom view.
    ///
    /// ```swift
    /// let recorder = ContentExtensionRecorder(client)
    ///
    /// func didReceive(_ notification: UNNotification) { recorder.recordDisplay(of: notification) }
    ///
    /// func didReceive(
    ///     _ response: UNNotificationResponse,
    ///     completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    /// ) {
    ///     recorder.record(response, option: .doNotDismiss, completion)
    /// }
    /// ```
    ///
    /// All methods may be called on the main thread: none waits for the disk or the network.
    public final class ContentExtensionRecorder: Sendable {
        private let client: AfterpushClient
        private let displayed = Locked<NotificationReference?>(nil)

        /// Creates a recorder. Create one per custom view.
        public init(_ client: AfterpushClient) {
            self.client = client
        }

        /// Records that the custom view shows a notification. Later media events belong to this notification.
        public func recordDisplay(of notification: UNNotification) {
            let reference = NotificationReference(notification)
            displayed.withLock { $0 = reference }
            record(.displayed(reference, surface: "content_extension"))
        }

        /// Records a response, then passes the option to the system.
        ///
        /// With `dismissAndForwardAction`, the app receives the response as well. It is recorded here, and the app's
        /// ``NotificationRecorder`` doesn't record it again.
        ///
        /// - Parameters:
        ///   - option: What the system does with the notification.
        ///   - completion: The completion handler of the system. It is called once, on the main thread, when the event
        ///     is on disk or could not be stored.
        public func record(
            _ response: UNNotificationResponse, option: UNNotificationContentExtensionResponseOption,
            _ completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
        ) {
            let isForwarded = option == .dismissAndForwardAction
            let event = DeviceEvent(response, handling: isForwarded ? .forwarded : .extension)
            // Safe to transfer, because it is called only on the main thread, once.
            let handler = UncheckedTransfer(completion)
            client.record(event) { [client] result in
                if isForwarded, case .success = result { client.markForwarded(event) }
                DispatchQueue.main.async { handler.value(option) }
            }
        }

        /// Records that the media of the displayed notification started to play.
        public func recordMediaPlay() {
            if let reference = displayed.withLock({ $0 }) { record(.mediaPlayed(reference)) }
        }

        /// Records that the media of the displayed notification was paused.
        public func recordMediaPause() {
            if let reference = displayed.withLock({ $0 }) { record(.mediaPaused(reference)) }
        }

        private func record(_ event: DeviceEvent) {
            var event = event
            event.handling = .extension
            client.record(event) { _ in }
        }
    }
#endif
