#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    import AfterpushWire
    public import Foundation
    public import UserNotifications

    /// Tells, from a service extension, that a notification arrived, whatever becomes of its content.
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
    ///         // Change confirmation.content; then:
    ///         confirmation.finish()
    ///     }
    ///
    ///     override func serviceExtensionTimeWillExpire() { confirmation?.expire() }
    /// }
    /// ```
    ///
    /// The confirmation is on the disk at once and sent while the extension works; what is not sent when its time is
    /// over, the app sends later. The content handler is called once, by ``finish()`` or ``expire()``.
    public final class DeliveryConfirmation: Sendable {
        private struct State {
            var content: UNNotificationContent
            var handler: ((UNNotificationContent) -> Void)?
        }

        private let client: AfterpushClient
        private let notification: NotificationReference
        private let state: Locked<State>
        private let sending: Task<Void, Never>

        /// - Parameters:
        ///   - handler: the system's, which may be called from any thread.
        ///   - patience: seconds for which the confirmation may go on being sent.
        public init(
            of request: UNNotificationRequest, _ client: AfterpushClient, patience: TimeInterval = 5,
            handler: @escaping (UNNotificationContent) -> Void
        ) {
            let notification = NotificationReference(pushed: request)
            let content = request.content.mutableCopy() as? UNNotificationContent ?? request.content
            self.client = client
            self.notification = notification
            state = Locked(State(content: content, handler: handler))
            var event = DeviceEvent.delivered(notification)
            event.handling = .extension
            // On this thread, which is no main thread's of an app: nothing comes before it. An error costs this event alone.
            _ = try? client.recordHere(event)
            // The extension's methods are no tasks. This one ends by itself, after its patience.
            sending = Task { await client.flush(within: patience) }
        }

        /// What will be shown, for the extension to change.
        public var content: UNMutableNotificationContent {
            let content = state.withLock { UncheckedTransfer($0.content) }.value
            return content as? UNMutableNotificationContent ?? UNMutableNotificationContent()
        }

        /// Records that an attachment could not be fetched.
        public func attachmentFailed(_ reason: String) {
            var event = DeviceEvent.attachmentFailed(notification, reason: reason)
            event.handling = .extension
            _ = try? client.recordHere(event)
        }

        /// Shows the notification, once its confirmation is sent or its patience over.
        public func finish() {
            // The system may stop the extension once the handler was called. No task either, and no longer than sending.
            Task {
                await sending.value
                show()
            }
        }

        /// Shows the notification as far as it got, because the time is over.
        public func expire() {
            var event = DeviceEvent.extensionExpired(notification)
            event.handling = .extension
            _ = try? client.recordHere(event)
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
