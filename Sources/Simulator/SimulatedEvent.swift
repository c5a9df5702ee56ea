import AfterpushClient
import AfterpushWire
import Foundation

/// An event at a device, with its true time.
struct SimulatedEvent: Sendable {
    let kind: EventKind
    let time: Timestamp
    var action: String?
    var text: String?
    var surface: String?
    var appState: String?
    var reason: String?
    var conversion: PlannedConversion?
    /// The name of an outcome, which belongs to no notification.
    var outcome: String?
    var value: Decimal?
    /// The currency of an outcome's value.
    var currency: String?

    init(_ kind: EventKind, _ time: Timestamp, surface: String? = nil, appState: String? = nil) {
        self.kind = kind
        self.time = time
        self.surface = surface
        self.appState = appState
    }

    var isResponse: Bool { [.opened, .action, .textInput, .dismissed].contains(kind) }
}

extension DeviceEvent {
    /// Creates the event that a device records.
    ///
    /// - Parameters:
    ///   - delivery: The delivery that the event belongs to. Ignored for events about the device alone.
    ///   - receipt: The receipt of the notification, if its server signs any.
    init(
        _ event: SimulatedEvent, of delivery: SimulatedDelivery? = nil, receipt: String? = nil,
        on device: SimulatedDevice
    ) {
        self.init(event.kind)
        surface = event.surface
        appState = event.appState
        reason = event.reason
        name = event.outcome
        if event.outcome != nil {
            value = event.value
            currency = event.currency
        }
        guard let delivery, !event.kind.isAboutDevice else { return }
        notification = NotificationReference(
            delivery.notificationID, receipt: receipt, campaignID: delivery.campaign.id, variant: delivery.variant.id,
            categoryID: delivery.campaign.category, trigger: .push)
        actionIdentifier = event.action ?? Self.identifier(of: event.kind, on: device.platform)
        userText = event.text
        if actionIdentifier != nil { handling = .app }
        if event.kind == .delivered, device.platform == .iOS { handling = .extension }
        if event.kind == .dismissed, device.platform == .android { dismissCause = "user" }
        name = event.conversion?.name
        value = event.value
        currency = event.conversion?.currency
    }

    /// Returns the identifier of a tap or a dismissal, which only Apple's systems have.
    private static func identifier(of kind: EventKind, on platform: Platform) -> String? {
        guard platform == .iOS else { return nil }
        return switch kind {
        case .opened: ActionIdentifier.appleDefault
        case .dismissed: ActionIdentifier.appleDismiss
        default: nil
        }
    }
}

extension IngestEvent {
    /// Creates the event that the provider's server posts for a send. Its clock is right.
    init(sendOf delivery: SimulatedDelivery, random: inout RandomSource) {
        self.init(
            eventID: random.uuid(at: delivery.send.time), kind: delivery.send.kind,
            notificationID: delivery.notificationID, deviceID: delivery.device.id, occurredAt: delivery.send.time)
        campaignID = delivery.campaign.id
        if !delivery.isHeldOut { variant = delivery.variant.id }
        categoryID = delivery.campaign.category
        platform = delivery.device.platform
        // The server knows the version, because the app states it when it registers its token.
        appVersion = delivery.device.build.version
        reason = delivery.send.reason
    }
}
