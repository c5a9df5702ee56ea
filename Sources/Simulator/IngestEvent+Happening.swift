import AfterpushWire
import Foundation

extension IngestEvent {
    /// What a device says of one of its notifications, or of itself, by its own clock.
    init(_ happening: Happening, of story: DeliveryStory? = nil, on device: SimulatedDevice, dice: inout Dice) {
        let time = happening.time.advanced(by: device.clockSkew)
        self.init(
            eventID: dice.uuid(at: time), kind: happening.kind, notificationID: nil, deviceID: device.id,
            occurredAt: time)
        platform = device.platform
        appVersion = device.appVersion
        osVersion = device.osVersion
        locale = device.locale
        utcOffsetMinutes = device.utcOffsetMinutes
        surface = happening.surface
        appState = happening.appState
        reason = happening.reason
        guard let story, !happening.kind.isAboutDevice else { return }
        attribute(to: story)
        trigger = .push
        actionIdentifier = happening.action ?? Self.identifier(of: happening.kind, on: device.platform)
        userText = happening.text
        if actionIdentifier != nil { handling = .app }
        if happening.kind == .delivered, device.platform == .iOS { handling = .extension }
        if happening.kind == .dismissed, device.platform == .android { dismissCause = "user" }
        name = happening.conversion?.name
        value = happening.value
        currency = happening.conversion?.currency
    }

    /// What the provider's server says of a send, whose clock is right.
    init(sendOf story: DeliveryStory, dice: inout Dice) {
        self.init(
            eventID: dice.uuid(at: story.send.time), kind: story.send.kind, notificationID: nil,
            deviceID: story.device.id, occurredAt: story.send.time)
        attribute(to: story)
        platform = story.device.platform
        // The app states its version when it registers its token.
        appVersion = story.device.appVersion
        reason = story.send.reason
    }

    private mutating func attribute(to story: DeliveryStory) {
        notificationID = "\(story.campaign.id)/\(story.device.id)"
        campaignID = story.campaign.id
        variant = story.variant.id
        categoryID = story.campaign.category
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
