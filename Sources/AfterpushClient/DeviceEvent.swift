public import AfterpushWire
public import Foundation

/// An event: something that happened to a notification on the device, or to the device itself.
///
/// There is a function for each kind of event. Set further properties before you record the event:
///
/// ```swift
/// var event = DeviceEvent.action("book", NotificationReference(notification))
/// event.surface = "lock_screen"
/// event.properties["room"] = .string("double")
/// try await client.record(event)
/// ```
///
/// The event receives its id and its time when it is recorded, so one value can be recorded several times.
public struct DeviceEvent: Sendable, Hashable {
    /// The kind of the event. Optional if ``actionIdentifier`` implies it.
    public var kind: EventKind?
    /// The notification, or nil for an event about the device alone.
    public var notification: NotificationReference?
    /// The identifier of the action, as the platform reports it.
    public var actionIdentifier: String?
    /// The text that the person typed. More than 4 KiB of UTF-8 is cut off when the event is recorded.
    public var userText: String?
    /// The place where the notification was shown, such as `banner` or `lock_screen`.
    public var surface: String?
    /// The state of the app: `active`, `inactive` or `background`.
    public var appState: String?
    /// The cause of a dismissal, on platforms that also report dismissals by the system.
    public var dismissCause: String?
    /// The part of the app that handled the response.
    public var handling: Handling?
    /// The reason of a failure.
    public var reason: String?
    /// The name of the goal, for a conversion.
    public var name: String?
    /// The value of the conversion, with at most six decimals.
    public var value: Decimal?
    /// The currency of ``value``, three letters of ISO 4217.
    public var currency: String?
    /// The other data of your app, at most 4 KiB of JSON. The collector rejects an event that has more.
    public var properties: [String: JSONValue] = [:]

    /// Creates an event of any kind.
    ///
    /// - Parameter kind: The kind, or nil if you set an ``actionIdentifier`` that implies it.
    public init(_ kind: EventKind?, _ notification: NotificationReference? = nil) {
        self.kind = kind
        self.notification = notification
    }
}
