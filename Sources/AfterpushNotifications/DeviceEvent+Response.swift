#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    public import AfterpushWire
    public import UserNotifications

    extension DeviceEvent {
        /// What a person did with a notification: tapped it, dismissed it, tapped a button, or typed a text.
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

        /// What a notification came to while the app is in the foreground: it was shown, or the app knows of it alone.
        public init(presented notification: UNNotification, with options: UNNotificationPresentationOptions) {
            let isShown = !options.isDisjoint(with: [.banner, .list])
            self.init(isShown ? .displayed : .delivered, NotificationReference(notification))
            surface = isShown ? "foreground" : nil
            appState = "active"
            if !isShown { handling = .app }
        }
    }
#endif
