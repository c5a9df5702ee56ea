/// The kind of an event: what happened to a notification on a device, or to the device itself.
///
/// Raw values are the words on the wire.
public enum EventKind: String, Sendable, Hashable, Codable, CaseIterable {
    case sent
    case failed
    case delivered
    case displayed
    case read
    case opened
    case action
    case textInput = "text_input"
    case dismissed
    case converted
    case replaced
    case mediaPlayed = "media_played"
    case mediaPaused = "media_paused"
    case attachmentFailed = "attachment_failed"
    case extensionExpired = "extension_expired"
    case heldOut = "held_out"
    case tokenRegistered = "token_registered"
    case tokenFailed = "token_failed"
    case permissionGranted = "permission_granted"
    case permissionRevoked = "permission_revoked"
    case appOpened = "app_opened"

    /// A Boolean value that says whether the event is about the device alone, and so belongs to no notification.
    ///
    /// A `converted` event may be, too: if it names no notification, it is an outcome of the device.
    public var isAboutDevice: Bool {
        switch self {
        case .tokenRegistered, .tokenFailed, .permissionGranted, .permissionRevoked, .appOpened: true
        default: false
        }
    }

    /// The kind's position in bit masks. Masks are stored, so a position never changes.
    package var bit: Int {
        switch self {
        case .sent: 0
        case .failed: 1
        case .delivered: 2
        case .displayed: 3
        case .read: 4
        case .opened: 5
        case .action: 6
        case .textInput: 7
        case .dismissed: 8
        case .converted: 9
        case .replaced: 10
        case .mediaPlayed: 11
        case .mediaPaused: 12
        case .attachmentFailed: 13
        case .extensionExpired: 14
        case .heldOut: 15
        case .tokenRegistered: 16
        case .tokenFailed: 17
        case .permissionGranted: 18
        case .permissionRevoked: 19
        case .appOpened: 20
        }
    }
}

/// The action identifiers that imply a kind by themselves. Any other one names an action of a category.
public enum ActionIdentifier {
    /// The identifier of a tap on the notification itself (`UNNotificationDefaultActionIdentifier`).
    public static let appleDefault = "com.apple.UNNotificationDefaultActionIdentifier"

    /// The identifier of a dismissal (`UNNotificationDismissActionIdentifier`).
    public static let appleDismiss = "com.apple.UNNotificationDismissActionIdentifier"
}
