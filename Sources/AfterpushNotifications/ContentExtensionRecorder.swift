#if canImport(UserNotificationsUI) && !os(tvOS) && !os(watchOS)
    public import AfterpushClient
    import AfterpushWire
    import Foundation
    public import UserNotifications
    public import UserNotificationsUI

    /// Records what a content extension sees.
    ///
    /// ```swift
    /// func didReceive(_ notification: UNNotification) { recorder.recordDisplay(of: notification) }
    ///
    /// func didReceive(
    ///     _ response: UNNotificationResponse,
    ///     completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    /// ) {
    ///     recorder.record(response, answer: .doNotDismiss, completion)
    /// }
    /// ```
    public final class ContentExtensionRecorder: Sendable {
        private let client: AfterpushClient
        private let shown = Locked<NotificationReference?>(nil)

        public init(_ client: AfterpushClient) {
            self.client = client
        }

        /// The custom view shows a notification.
        public func recordDisplay(of notification: UNNotification) {
            let reference = NotificationReference(notification)
            shown.withLock { $0 = reference }
            record(.displayed(reference, surface: "content_extension"))
        }

        /// Records a response, then answers the system.
        ///
        /// A response that is forwarded is recorded here, too, and not again by the app's ``NotificationRecorder``.
        ///
        /// - Parameters:
        ///   - answer: what becomes of the notification. With `dismissAndForwardAction` the app gets the response.
        ///   - completion: the system's, called on the main thread once the event is on the disk.
        public func record(
            _ response: UNNotificationResponse, answer: UNNotificationContentExtensionResponseOption,
            _ completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
        ) {
            let isForwarded = answer == .dismissAndForwardAction
            let event = DeviceEvent(response, handling: isForwarded ? .forwarded : .extension)
            // Handed over to the main thread, and called once.
            let handler = UncheckedTransfer(completion)
            client.record(event) { [client] result in
                if isForwarded, case .success = result { client.noteForwarding(of: event) }
                DispatchQueue.main.async { handler.value(answer) }
            }
        }

        /// The media of the notification that is shown was started.
        public func recordMediaPlay() {
            if let reference = shown.withLock({ $0 }) { record(.mediaPlayed(reference)) }
        }

        /// The media of the notification that is shown was paused.
        public func recordMediaPause() {
            if let reference = shown.withLock({ $0 }) { record(.mediaPaused(reference)) }
        }

        private func record(_ event: DeviceEvent) {
            var event = event
            event.handling = .extension
            client.record(event) { _ in }
        }
    }
#endif
