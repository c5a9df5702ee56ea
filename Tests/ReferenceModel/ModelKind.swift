/// The kinds of events of contract.md.
package enum ModelKind: String, CaseIterable, Sendable {
    case sent
    case failed
    case delivered
    case displayed
    case read
    case opened
    case action
    case text_input
    case dismissed
    case converted
    case replaced
    case media_played
    case media_paused
    case attachment_failed
    case extension_expired
    case token_registered
    case token_failed
    case permission_granted
    case permission_revoked
    case app_opened
    case held_out

    /// Whether the kind is about the device only: its events belong to no delivery, even if they name a notification.
    package var isAboutDeviceAlone: Bool {
        switch self {
        case .token_registered, .token_failed, .permission_granted, .permission_revoked, .app_opened: true
        default: false
        }
    }

    /// `delivered`: "any of `delivered` `displayed` `read` `opened` `action` `text_input` `dismissed` `media_played`
    /// `media_paused` `attachment_failed` `extension_expired`".
    var showsDelivery: Bool {
        switch self {
        case .delivered, .displayed, .read, .opened, .action, .text_input, .dismissed: true
        case .media_played, .media_paused, .attachment_failed, .extension_expired: true
        default: false
        }
    }

    /// "`acted(x)`: the action or text input `x`".
    var isAct: Bool {
        self == .action || self == .text_input
    }
}
