import AfterpushWire
import Foundation

/// What becomes of one notification on one device.
struct DeliveryStory {
    /// The provider's word for it: accepted, or refused.
    let send: IngestEvent
    /// What the device reports, in order.
    private(set) var reports: [IngestEvent] = []

    private static let replies = [
        "faster checkout", "Faster checkout!", "more sizes", "all good", "the app is slow", "dark mode", "más tallas",
    ]

    init(
        _ campaign: SimulatedCampaign, _ variant: SimulatedCampaign.Variant, _ device: SimulatedDevice,
        dice: inout Dice
    ) {
        let sentAt = campaign.startsAt.advanced(by: Double.random(in: 0..<21_600, using: &dice))
        let isRefused = dice.happens(0.01)
        var send = IngestEvent(
            eventID: dice.uuid(), kind: isRefused ? .failed : .sent, notificationID: campaign.id, deviceID: device.id,
            occurredAt: sentAt)
        send.campaignID = campaign.id
        send.variant = variant.id
        send.categoryID = campaign.category
        send.platform = device.platform
        send.reason = isRefused ? "Unregistered" : nil
        self.send = send
        guard !isRefused, dice.happens(0.94) else { return }
        let arrivedAt = sentAt.advanced(by: Double.random(in: 0.3..<20, using: &dice))
        if device.confirmsDelivery { report(.delivered, arrivedAt, device, dice: &dice) }
        respond(campaign, variant, device, after: arrivedAt, dice: &dice)
    }

    private mutating func respond(
        _ campaign: SimulatedCampaign, _ variant: SimulatedCampaign.Variant, _ device: SimulatedDevice,
        after arrivedAt: Timestamp, dice: inout Dice
    ) {
        let time = arrivedAt.advanced(by: dice.responseSeconds(median: 240, spread: 1.6))
        var roll = Double.random(in: 0..<1, using: &dice)
        /// Whether the roll falls on something of a probability; each roll falls on one thing at most.
        func falls(on probability: Double) -> Bool {
            defer { roll -= probability }
            return roll >= 0 && roll < probability
        }
        if falls(on: variant.opens) {
            report(.opened, time, device, dice: &dice)
            if dice.happens(0.5) { report(.read, time.advanced(by: 2), device, dice: &dice) }
        }
        for action in variant.actions where falls(on: action.probability) {
            report(.action, time, device, dice: &dice) { $0.actionIdentifier = action.id }
        }
        if let reply = variant.reply, falls(on: reply.probability) {
            let text = dice.pick(Self.replies)
            report(.textInput, time, device, dice: &dice) {
                $0.actionIdentifier = reply.id
                $0.userText = text
            }
        }
        if falls(on: variant.dismisses), device.platform != .iOS || campaign.reportsDismissals {
            report(.dismissed, time, device, dice: &dice)
        }
    }

    private mutating func report(
        _ kind: EventKind, _ time: Timestamp, _ device: SimulatedDevice, dice: inout Dice,
        _ change: (inout IngestEvent) -> Void = { _ in }
    ) {
        var event = IngestEvent(
            eventID: dice.uuid(), kind: kind, notificationID: send.notificationID, deviceID: device.id,
            occurredAt: time)
        event.platform = device.platform
        event.appVersion = device.appVersion
        event.osVersion = device.osVersion
        event.locale = device.locale
        event.utcOffsetMinutes = device.utcOffsetMinutes
        event.trigger = .push
        change(&event)
        reports.append(event)
    }
}

extension Timestamp {
    fileprivate func advanced(by seconds: Double) -> Timestamp {
        Timestamp(microseconds: microseconds + Int64(seconds * 1_000_000))
    }
}
