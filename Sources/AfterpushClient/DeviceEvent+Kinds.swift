import AfterpushWire
public import Foundation

extension DeviceEvent {
    // MARK: Responses

    /// Creates an event for a tap on the notification itself.
    public static func opened(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.opened, notification)
    }

    /// Creates an event for a tap on a button.
    ///
    /// - Parameter identifier: The identifier of the action, as its category declares it.
    public static func action(_ identifier: String, _ notification: NotificationReference) -> DeviceEvent {
        var event = DeviceEvent(.action, notification)
        event.actionIdentifier = identifier
        return event
    }

    /// Creates an event for a text that the person typed and sent.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the text input action.
    ///   - text: The text. More than 4 KiB of UTF-8 is cut off.
    public static func textInput(
        _ identifier: String, text: String, _ notification: NotificationReference
    ) -> DeviceEvent {
        var event = DeviceEvent(.textInput, notification)
        event.actionIdentifier = identifier
        event.userText = text
        return event
    }

    /// Creates an event for a dismissal.
    ///
    /// - Parameter cause: The cause, on platforms that also report dismissals by the system.
    public static func dismissed(_ notification: NotificationReference, cause: String? = nil) -> DeviceEvent {
        var event = DeviceEvent(.dismissed, notification)
        event.dismissCause = cause
        return event
    }

    // MARK: Consequences

    /// Creates an event for a notification that the app has marked as read.
    public static func read(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.read, notification)
    }

    /// Creates an event for a goal that the person reached because of the notification.
    ///
    /// ```swift
    /// try await client.record(.converted("order", value: 49.90, currency: "EUR", notification))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the goal.
    ///   - value: What it is worth, with at most six decimals.
    ///   - currency: The currency of the value, three letters of ISO 4217.
    public static func converted(
        _ name: String, value: Decimal? = nil, currency: String? = nil, _ notification: NotificationReference
    ) -> DeviceEvent {
        var event = DeviceEvent(.converted, notification)
        event.name = name
        event.value = value
        event.currency = currency
        return event
    }

    // MARK: Delivery and display

    /// Creates an event for a notification that has arrived, as a service extension sees it.
    public static func delivered(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.delivered, notification)
    }

    /// Creates an event for a notification that was shown by the content extension or while the app was active.
    public static func displayed(_ notification: NotificationReference, surface: String? = nil) -> DeviceEvent {
        var event = DeviceEvent(.displayed, notification)
        event.surface = surface
        return event
    }

    /// Creates an event for a notification that a later one has replaced.
    public static func replaced(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.replaced, notification)
    }

    /// Creates an event for media of the content extension that started to play.
    public static func mediaPlayed(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.mediaPlayed, notification)
    }

    /// Creates an event for media of the content extension that was paused.
    public static func mediaPaused(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.mediaPaused, notification)
    }

    /// Creates an event for an attachment that the service extension could not download.
    public static func attachmentFailed(_ notification: NotificationReference, reason: String) -> DeviceEvent {
        var event = DeviceEvent(.attachmentFailed, notification)
        event.reason = reason
        return event
    }

    /// Creates an event for a service extension that ran out of time.
    public static func extensionExpired(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.extensionExpired, notification)
    }

    // MARK: Local notifications

    /// Creates an event for a local notification that the app has scheduled.
    ///
    /// The collector accepts it from a device only if the notification's trigger is local. Sends of push notifications
    /// are recorded by the server that sends them.
    public static func sent(_ notification: NotificationReference) -> DeviceEvent {
        DeviceEvent(.sent, notification)
    }

    /// Creates an event for a local notification that the app could not schedule.
    ///
    /// The collector accepts it from a device only if the notification's trigger is local.
    public static func failed(_ notification: NotificationReference, reason: String) -> DeviceEvent {
        var event = DeviceEvent(.failed, notification)
        event.reason = reason
        return event
    }

    // MARK: The device

    /// An event for a device token that the app has received. ``AfterpushClient/recordToken(_:)`` also states whether the
    /// token has changed.
    public static let tokenRegistered = DeviceEvent(.tokenRegistered)

    /// Creates an event for a device token that the app could not get.
    public static func tokenFailed(reason: String) -> DeviceEvent {
        var event = DeviceEvent(.tokenFailed)
        event.reason = reason
        return event
    }

    /// An event for a person who has allowed notifications. ``AfterpushClient/recordPermission(isGranted:)`` records it
    /// only when it changes.
    public static let permissionGranted = DeviceEvent(.permissionGranted)

    /// An event for a person who no longer allows notifications.
    public static let permissionRevoked = DeviceEvent(.permissionRevoked)

    /// Creates an event for something that the person did, whether or not a notification led to it: an outcome.
    ///
    /// The report `lift` compares the outcomes of devices that a campaign was sent to with those of devices that were
    /// held out. So record an outcome in the same way on every device, whenever it happens.
    ///
    /// - Parameters:
    ///   - name: What the person did, for example `order`.
    ///   - value: The value in units of the currency.
    ///   - currency: The currency of the value, three letters of ISO 4217.
    public static func outcome(_ name: String, value: Decimal? = nil, currency: String? = nil) -> DeviceEvent {
        var event = DeviceEvent(.converted)
        event.name = name
        event.value = value
        event.currency = currency
        return event
    }

    /// An event for an app that was started or came to the foreground. The report `influence` says how many of these
    /// follow a notification without a tap on it.
    public static let appOpened = DeviceEvent(.appOpened)
}
