import AfterpushWire
public import Foundation

/// One function for each kind of event.
extension DeviceEvent {
    // MARK: What a person did

    /// The notification itself was tapped.
    public static func opened(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.opened, notification)
    }

    /// A button was tapped.
    public static func action(_ identifier: String, _ notification: NotificationReference) -> DeviceEvent {
        var event = DeviceEvent(.action, notification)
        event.actionIdentifier = identifier
        return event
    }

    /// Text was typed and sent with a button.
    public static func textInput(
        _ identifier: String, text: String, _ notification: NotificationReference
    ) -> DeviceEvent {
        var event = DeviceEvent(.textInput, notification)
        event.actionIdentifier = identifier
        event.userText = text
        return event
    }

    /// - Parameter cause: where the platform tells a person's dismissal from the system's.
    public static func dismissed(_ notification: NotificationReference, cause: String? = nil) -> DeviceEvent {
        var event = DeviceEvent(.dismissed, notification)
        event.dismissCause = cause
        return event
    }

    /// The app marked it as read.
    public static func read(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.read, notification)
    }

    /// What the notification was meant to bring about happened.
    ///
    /// - Parameters:
    ///   - value: what it was worth, with at most six decimals.
    ///   - currency: three letters of ISO 4217.
    public static func converted(
        _ name: String, value: Decimal? = nil, currency: String? = nil, _ notification: NotificationReference
    ) -> DeviceEvent {
        var event = DeviceEvent(.converted, notification)
        event.name = name
        event.value = value
        event.currency = currency
        return event
    }

    // MARK: What became of a notification

    /// The service extension ran: it arrived.
    public static func delivered(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.delivered, notification)
    }

    /// It was shown while the app was in the foreground, or by the content extension.
    public static func displayed(_ notification: NotificationReference, surface: String? = nil) -> DeviceEvent {
        var event = DeviceEvent(.displayed, notification)
        event.surface = surface
        return event
    }

    /// A later notification took its place.
    public static func replaced(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.replaced, notification)
    }

    /// Media of the content extension was played.
    public static func mediaPlayed(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.mediaPlayed, notification)
    }

    public static func mediaPaused(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.mediaPaused, notification)
    }

    /// The service extension could not fetch an attachment.
    public static func attachmentFailed(_ notification: NotificationReference, reason: String) -> DeviceEvent {
        var event = DeviceEvent(.attachmentFailed, notification)
        event.reason = reason
        return event
    }

    /// The service extension ran out of time.
    public static func extensionExpired(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.extensionExpired, notification)
    }

    /// A local notification was scheduled. The collector takes this from a device only with a local trigger.
    public static func sent(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.sent, notification)
    }

    /// A local notification could not be scheduled. The collector takes this from a device only with a local trigger.
    public static func failed(_ notification: NotificationReference, reason: String) -> DeviceEvent {
        var event = DeviceEvent(.failed, notification)
        event.reason = reason
        return event
    }

    // MARK: About the device alone

    /// The app got a token, at whichever start.
    public static let tokenRegistered = DeviceEvent(.tokenRegistered)

    public static func tokenFailed(reason: String) -> DeviceEvent {
        var event = DeviceEvent(.tokenFailed)
        event.reason = reason
        return event
    }

    public static let permissionGranted = DeviceEvent(.permissionGranted)
    public static let permissionRevoked = DeviceEvent(.permissionRevoked)
    public static let appOpened = DeviceEvent(.appOpened)
}
