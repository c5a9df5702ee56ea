#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    public import AfterpushWire
    public import UserNotifications

    extension DeviceEvent {
        /// Creates an event for a response: a tap, a dismissal, a tap on a button, or a typed text.
        ///
        /// - Parameter handling: The part of the app that handles the response.
        public init(_ response: UNNotificationResponse, handling: Handling = .app) {
            let text = (response as? UNTextInputNotificationResponse)?.userText
            let kind: EventKind =
                switch response.actionIdentifier {
                case UNNotificationDefaultActionIdentifier: .opened
                case UNNotificationDismissActionIdentifier: .dismissed
                default: text == nil ? .action : .textInput
                }
            self.init(kind, NotificationReference(response.notification))
            actionIdentifier = response.actionIdentifier
            userText = kind == .textInput ? text : nil
            self.handling = handling
        }

        /// Creates an event for a notification that arrived while the app was in the foreground: `displayed` if the
        /// options show it, otherwise `delivered`.
        public init(presented notification: UNNotification, with options: UNNotificationPresentationOptions) {
            let isShown = !options.isDisjoint(with: [.banner, .list])
            self.init(isShown ? .displayed : .delivered, NotificationReference(notification))
            surface = isShown ? "foreground" : nil
            appState = "active"
            if !isShown { handling = .app }
        }
    }
#endif
