public import AfterpushWire
public import Foundation

/// Something that happened on the device. Its id and its time are given when it is recorded.
public struct DeviceEvent: Sendable, Hashable {
    /// Nil if the action identifier implies it.
    public var kind: EventKind?
    /// Nil for what is about the device alone.
    public var notification: NotificationReference?
    /// As the platform gives it.
    public var actionIdentifier: String?
    /// What the person typed. More than 4 KiB are cut off when it is recorded.
    public var userText: String?
    /// Where it was shown: `banner`, `lock_screen`...
    public var surface: String?
    /// `active`, `inactive`, `background`
    public var appState: String?
    public var dismissCause: String?
    public var handling: Handling?
    public var reason: String?
    public var name: String?
    public var value: Decimal?
    public var currency: String?
    /// Anything else, at most 4 KiB of JSON.
    public var properties: [String: JSONValue] = [:]

    public init(_ kind: EventKind?, _ notification: NotificationReference? = nil) {
        self.kind = kind
        self.notification = notification
    }
}
