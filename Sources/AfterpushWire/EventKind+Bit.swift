extension EventKind {
    /// The kind's position in bit masks. Masks are stored, so a number once given never changes.
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
        case .tokenRegistered: 15
        case .tokenFailed: 16
        case .permissionGranted: 17
        case .permissionRevoked: 18
        case .appOpened: 19
        }
    }
}
