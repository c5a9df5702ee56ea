import AfterpushWire
import Foundation

/// What becomes of one notification on one device, up to a moment.
struct DeliveryStory {
    let campaign: PlannedCampaign
    let variant: PlannedVariant
    let device: SimulatedDevice
    /// The provider's word for it: accepted, or refused.
    let send: SimulatedEvent
    /// What the device can tell of it.
    private(set) var reports: [SimulatedEvent] = []
    /// What somebody else claims of it.
    private(set) var claims: [SimulatedEvent] = []
    private let end: Timestamp
    private var dice: RandomSource

    var notificationID: String { "\(campaign.id)/\(device.id)" }

    /// Nil if the device is not sent the campaign before `end`.
    init?(_ campaign: PlannedCampaign, _ device: SimulatedDevice, until end: Timestamp, dice: RandomSource) {
        var dice = dice
        let sentAt = campaign.startsAt.advanced(by: dice.number(in: 0..<max(campaign.hours, 0.01) * 3_600))
        guard dice.happens(campaign.share), sentAt <= end, let variant = dice.pick(campaign.variants, by: \.weight)
        else { return nil }
        let isRefused = dice.happens(0.012)
        var send = SimulatedEvent(isRefused ? .failed : .sent, sentAt)
        if isRefused { send.reason = dice.happens(0.8) ? "Unregistered" : "BadDeviceToken" }
        self.campaign = campaign
        self.variant = variant
        self.device = device
        self.send = send
        self.end = end
        self.dice = dice
        // Accepted is not arrived: some devices stay switched off, and some people turned notifications off.
        if !isRefused, self.dice.happens(0.94) { arrive() }
    }

    /// The latency is longer than clocks differ, so that a confirmation follows its send.
    private mutating func arrive() {
        let latency = dice.logNormal(median: 1.5, spread: 1) + 1.5
        let arrivedAt = device.reached(at: send.time.advanced(by: latency))
        let isInApp = device.platform != .web && dice.happens(0.05)
        let appState = isInApp ? "active" : "background"
        if device.canConfirm, dice.happens(variant.confirm) {
            report(SimulatedEvent(.delivered, arrivedAt, appState: appState))
            // Only the extension that confirms downloads attachments.
            if device.platform == .iOS, dice.happens(0.004) {
                var failure = SimulatedEvent(.attachmentFailed, arrivedAt.advanced(by: 0.8), appState: appState)
                failure.reason = "timed out"
                report(failure)
            }
        }
        if isInApp || device.platform == .web {
            report(SimulatedEvent(.displayed, arrivedAt.advanced(by: 0.2), surface: "banner", appState: appState))
        }
        let thinking = dice.logNormal(
            median: variant.responseTime.medianSeconds * device.segment.habits.responseTime,
            spread: variant.responseTime.spread)
        respond(at: arrivedAt.advanced(by: max(2, thinking)))
    }

    private mutating func respond(at time: Timestamp) {
        var roll = dice.number(in: 0..<1)
        /// Whether the roll falls on something of a probability; each roll falls on one thing at most.
        func falls(on probability: Double) -> Bool {
            defer { roll -= probability }
            return roll >= 0 && roll < probability
        }
        let surface = dice.pick(["banner", "lock_screen", "lock_screen", "list"])
        let habits = device.segment.habits
        if falls(on: habits.open(variant)) { return open(at: time, surface) }
        for action in variant.actions where falls(on: habits.probability(of: action.id, variant)) {
            return tap(action, at: time, surface)
        }
        if let reply = variant.reply, falls(on: habits.probability(of: reply.action, variant)) {
            return answer(reply, at: time, surface)
        }
        if falls(on: habits.dismiss(variant)), device.platform != .iOS || campaign.reportsDismissals {
            report(SimulatedEvent(.dismissed, time, surface: surface, appState: "background"))
        }
    }

    private mutating func open(at time: Timestamp, _ surface: String?) {
        report(SimulatedEvent(.opened, time, surface: surface, appState: "inactive"))
        report(SimulatedEvent(.appOpened, time.advanced(by: 0.6), appState: "active"))
        if dice.happens(variant.read) { report(SimulatedEvent(.read, time.advanced(by: 3), appState: "active")) }
        convert(after: time)
    }

    private mutating func tap(_ action: PlannedAction, at time: Timestamp, _ surface: String?) {
        var tap = SimulatedEvent(.action, time, surface: surface, appState: action.opensApp ? "inactive" : "background")
        tap.action = action.id
        report(tap)
        if action.opensApp { report(SimulatedEvent(.appOpened, time.advanced(by: 0.6), appState: "active")) }
        if campaign.goals.contains(action.id) { convert(after: time) }
    }

    private mutating func answer(_ reply: PlannedReply, at time: Timestamp, _ surface: String?) {
        guard device.platform != .web, let text = dice.pick(reply.texts) else { return }
        var answer = SimulatedEvent(.textInput, time, surface: surface, appState: "background")
        answer.action = reply.action
        answer.text = text
        report(answer)
    }

    private mutating func convert(after time: Timestamp) {
        guard let conversion = variant.conversion, dice.happens(conversion.probability) else { return }
        let delay = dice.logNormal(median: 300, spread: 0.8) + 10
        var converted = SimulatedEvent(.converted, time.advanced(by: delay), surface: "app", appState: "active")
        converted.conversion = conversion
        converted.value = Decimal(Int.random(in: conversion.cents, using: &dice)) / 100
        report(converted)
    }

    mutating func claim(_ happening: SimulatedEvent) {
        claims.append(happening)
    }

    private mutating func report(_ happening: SimulatedEvent) {
        if happening.time <= end { reports.append(happening) }
    }
}
