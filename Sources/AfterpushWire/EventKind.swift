/// What an event says happened to a notification on a device, or to the device itself.
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
    case tokenRegistered = "token_registered"
    case tokenFailed = "token_failed"
    case permissionGranted = "permission_granted"
    case permissionRevoked = "permission_revoked"
    case appOpened = "app_opened"

    /// Whether the event is about the device alone, and so belongs to no delivery.
    public var isAboutDevice: Bool {
        switch self {
        case .tokenRegistered, .tokenFailed, .permissionGranted, .permissionRevoked, .appOpened: true
        default: false
        }
    }
}
