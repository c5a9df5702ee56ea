#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    import AfterpushWire
    public import Foundation
    public import UserNotifications

    /// A confirmation, from a service extension, that a notification has arrived.
    ///
    /// Create one for each request and call ``finish()`` when the content is ready:
    ///
    /// ```swift
    /// final class NotificationService: UNNotificationServiceExtension {
    ///     private var confirmation: DeliveryConfirmation?
    ///
    ///     override func didReceive(
    ///         _ request: UNNotificationRequest, withContentHandler handler: @escaping (UNNotificationContent) -> Void
    ///     ) {
    ///         let confirmation = DeliveryConfirmation(of: request, client, handler: handler)
    ///         self.confirmation = confirmation
    ///         confirmation.content.subtitle = "Only today"
    ///         confirmation.finish()
    ///     }
    ///
    ///     override func serviceExtensionTimeWillExpire() { confirmation?.expire() }
    /// }
    /// ```
    ///
    /// The event is on disk when the initializer returns, and is sent while the extension works. Without a network, or if
    /// the extension's time runs out, the app sends it later. The notification is shown in any case: the content handler
    /// is called exactly once, by ``finish()`` or ``expire()``, whichever comes first.
    public final class DeliveryConfirmation: Sendable {
        private struct State {
            var content: UNNotificationContent
            var handler: ((UNNotificationContent) -> Void)?
        }

        private let client: AfterpushClient
        private let notification: NotificationReference
        private let state: Locked<State>
        private let sending: Task<Void, Never>

        /// Records that the notification has arrived, and starts to send the event.
        ///
        /// - Parameters:
        ///   - request: The request that the extension received.
        ///   - client: The extension's client. Its directory must be the app's.
        ///   - timeout: The maximum number of seconds for which ``finish()`` waits until the event is sent.
        ///   - handler: The content handler of the system. It is called once, on any thread.
        public init(
            of request: UNNotificationRequest, _ client: AfterpushClient, timeout: TimeInterval = 5,
            handler: @escaping (UNNotificationContent) -> Void
        ) {
            let notification = NotificationReference(pushed: request)
            let content = request.content.mutableCopy() as? UNNotificationContent ?? request.content
            self.client = client
            self.notification = notification
            state = Locked(State(content: content, handler: handler))
            var event = DeviceEvent.delivered(notification)
            event.handling = .extension
            // Before anything else, because the system may stop the extension at any time. An error affects this event
            // only.
            _ = try? client.recordSynchronously(event)
            // Unstructured, because the extension's methods are not async. The task ends after its timeout.
            sending = Task { _ = await client.flush(within: timeout) }
        }

        /// The content that will be shown. Change it before ``finish()``.
        public var content: UNMutableNotificationContent {
            let content = state.withLock { UncheckedTransfer($0.content) }.value
            return content as? UNMutableNotificationContent ?? UNMutableNotificationContent()
        }

        /// Records that an attachment could not be downloaded.
        ///
        /// - Parameter reason: A short reason, such as `404`. Reports group failures by it.
        public func recordAttachmentFailure(reason: String) {
            var event = DeviceEvent.attachmentFailed(notification, reason: reason)
            event.handling = .extension
            _ = try? client.recordSynchronously(event)
        }

        /// Shows the notification as soon as the event is sent or the timeout is over. Returns immediately.
        public func finish() {
            // The system may stop the extension after the handler was called. Unstructured, as above.
            Task {
                await sending.value
                show()
            }
        }

        /// Records that the extension's time is over, and shows the notification with its content so far.
        ///
        /// Call it in `serviceExtensionTimeWillExpire`.
        public func expire() {
            var event = DeviceEvent.extensionExpired(notification)
            event.handling = .extension
            _ = try? client.recordSynchronously(event)
            show()
        }

        private func show() {
            let state = state.withLock { state in
                defer { state.handler = nil }
                return UncheckedTransfer(state)
            }.value
            state.handler?(state.content)
        }
    }
#endif
