import AfterpushClient
import AfterpushWire

extension DeviceEvent {
    /// What a device records of one of its notifications, or of itself.
    ///
    /// - Parameter receipt: the notification's, if its server signs any.
    init(
        _ happening: SimulatedEvent, of story: DeliveryStory? = nil, receipt: String? = nil, on device: SimulatedDevice
    ) {
        self.init(happening.kind)
        surface = happening.surface
        appState = happening.appState
        reason = happening.reason
        guard let story, !happening.kind.isAboutDevice else { return }
        notification = NotificationReference(
            story.notificationID, receipt: receipt, campaignID: story.campaign.id, variant: story.variant.id,
            categoryID: story.campaign.category, trigger: .push)
        actionIdentifier = happening.action ?? Self.identifier(of: happening.kind, on: device.platform)
        userText = happening.text
        if actionIdentifier != nil { handling = .app }
        if happening.kind == .delivered, device.platform == .iOS { handling = .extension }
        if happening.kind == .dismissed, device.platform == .android { dismissCause = "user" }
        name = happening.conversion?.name
        value = happening.value
        currency = happening.conversion?.currency
    }

    /// Only Apple's systems have identifiers for a tap and a dismissal.
    private static func identifier(of kind: EventKind, on platform: Platform) -> String? {
        guard platform == .iOS else { return nil }
        return switch kind {
        case .opened: ActionIdentifier.appleDefault
        case .dismissed: ActionIdentifier.appleDismiss
        default: nil
        }
    }
}
