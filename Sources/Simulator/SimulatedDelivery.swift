import AfterpushWire
import Foundation

/// A notification of a campaign for one device, with everything that happens to it until the end of the plan.
struct SimulatedDelivery {
    let campaign: PlannedCampaign
    let variant: PlannedVariant
    let device: SimulatedDevice
    /// The provider's result, sent or failed, or held out.
    let send: SimulatedEvent
    /// What the person does afterwards, which names no notification.
    private(set) var outcome: SimulatedEvent?
    /// The events that the device reports.
    private(set) var reports: [SimulatedEvent] = []
    /// The events that forgers report and that the collector accepts.
    private(set) var claims: [SimulatedEvent] = []
    /// The notification's place among those of the campaign for the device, from 0.
    private let place: Int
    private let end: Timestamp
    private var random: RandomSource

    var notificationID: String { "\(campaign.id)/\(device.id)" + (place == 0 ? "" : "/\(place + 1)") }
    var isHeldOut: Bool { send.kind == .heldOut }

    /// Simulates the delivery. Returns nil if the campaign is not sent to the device before `end`.
    ///
    /// - Parameter first: The device's first delivery of the campaign, whose variant this one has; nil if this is it.
    init?(
        _ campaign: PlannedCampaign, _ device: SimulatedDevice, place: Int = 0, after first: SimulatedDelivery? = nil,
        until end: Timestamp, random: RandomSource
    ) {
        var random = random
        let sentAt = campaign.startsAt.advanced(by: random.number(in: 0..<max(campaign.hours, 0.01) * 3_600))
        let isChosen = random.happens(campaign.share)
        guard first != nil || isChosen, sentAt <= end, let picked = random.pick(campaign.variants, by: \.weight)
        else { return nil }
        let variant = first?.variant ?? picked
        let isRefused = random.happens(0.012)
        let isHeldOut = first?.isHeldOut ?? (campaign.holdout > 0 && random.happens(campaign.holdout))
        var send = SimulatedEvent(isHeldOut ? .heldOut : isRefused ? .failed : .sent, sentAt)
        if isRefused, !isHeldOut { send.reason = random.happens(0.8) ? "Unregistered" : "BadDeviceToken" }
        self.campaign = campaign
        self.variant = variant
        self.device = device
        self.send = send
        self.place = place
        self.end = end
        self.random = random
        // Some accepted notifications never arrive: the device stays switched off, or the person has turned them off.
        if send.kind == .sent, self.random.happens(0.94) { arrive() }
        if let planned = campaign.outcome { happen(planned) }
    }

    private mutating func happen(_ planned: PlannedOutcome) {
        guard random.happens(planned.anyway + (send.kind == .sent ? planned.added : 0)) else { return }
        // Later than clocks differ, so that it follows the send.
        var event = SimulatedEvent(
            .converted, send.time.advanced(by: random.number(in: 600..<6 * 86_400)), surface: "app", appState: "active")
        event.outcome = planned.name
        if let cents = planned.cents {
            event.value = Decimal(Int.random(in: cents, using: &random)) / 100
            event.currency = planned.currency
        }
        if event.time <= end { outcome = event }
    }

    private mutating func arrive() {
        // The latency is longer than clocks differ, so that a confirmation follows its send.
        let latency = random.logNormal(median: 1.5, spread: 1) + 1.5
        let arrivedAt = device.onlineTime(from: send.time.advanced(by: latency))
        let isInApp = device.platform != .web && random.happens(0.05)
        let appState = isInApp ? "active" : "background"
        if device.canConfirm, random.happens(variant.confirm) {
            report(SimulatedEvent(.delivered, arrivedAt, appState: appState))
            // Only an extension that confirms also downloads attachments.
            if device.platform == .iOS, random.happens(0.004) {
                var failure = SimulatedEvent(.attachmentFailed, arrivedAt.advanced(by: 0.8), appState: appState)
                failure.reason = "timed out"
                report(failure)
            }
        }
        if isInApp || device.platform == .web {
            report(SimulatedEvent(.displayed, arrivedAt.advanced(by: 0.2), surface: "banner", appState: appState))
        }
        let responseTime = random.logNormal(
            median: variant.responseTime.medianSeconds * device.segment.habits.responseTime,
            spread: variant.responseTime.spread)
        respond(at: arrivedAt.advanced(by: max(2, responseTime)))
    }

    private mutating func respond(at time: Timestamp) {
        var roll = random.number(in: 0..<1)
        /// Returns whether the roll selects an outcome of this probability. It selects at most one of all outcomes.
        func selects(_ probability: Double) -> Bool {
            defer { roll -= probability }
            return roll >= 0 && roll < probability
        }
        let surface = random.pick(["banner", "lock_screen", "lock_screen", "list"])
        let habits = device.segment.habits
        let inclination = device.inclination
        if selects(habits.open(variant) * inclination) { return open(at: time, surface) }
        for action in variant.actions where selects(habits.probability(of: action.id, variant) * inclination) {
            return tap(action, at: time, surface)
        }
        if let reply = variant.reply, selects(habits.probability(of: reply.action, variant) * inclination) {
            return send(reply, at: time, surface)
        }
        if selects(habits.dismiss(variant)), device.platform != .iOS || campaign.reportsDismissals {
            report(SimulatedEvent(.dismissed, time, surface: surface, appState: "background"))
        }
    }

    private mutating func open(at time: Timestamp, _ surface: String?) {
        report(SimulatedEvent(.opened, time, surface: surface, appState: "inactive"))
        report(SimulatedEvent(.appOpened, time.advanced(by: 0.6), appState: "active"))
        if random.happens(variant.read) { report(SimulatedEvent(.read, time.advanced(by: 3), appState: "active")) }
        convert(after: time)
    }

    private mutating func tap(_ action: PlannedAction, at time: Timestamp, _ surface: String?) {
        var tap = SimulatedEvent(.action, time, surface: surface, appState: action.opensApp ? "inactive" : "background")
        tap.action = action.id
        report(tap)
        if action.opensApp { report(SimulatedEvent(.appOpened, time.advanced(by: 0.6), appState: "active")) }
        if campaign.goals.contains(action.id) { convert(after: time) }
    }

    private mutating func send(_ reply: PlannedReply, at time: Timestamp, _ surface: String?) {
        guard device.platform != .web, let text = random.pick(reply.texts) else { return }
        var event = SimulatedEvent(.textInput, time, surface: surface, appState: "background")
        event.action = reply.action
        event.text = text
        report(event)
    }

    private mutating func convert(after time: Timestamp) {
        guard let conversion = variant.conversion, random.happens(conversion.probability) else { return }
        let delay = random.logNormal(median: 300, spread: 0.8) + 10
        var converted = SimulatedEvent(.converted, time.advanced(by: delay), surface: "app", appState: "active")
        converted.conversion = conversion
        converted.value = Decimal(Int.random(in: conversion.cents, using: &random)) / 100
        report(converted)
    }

    mutating func addClaim(_ event: SimulatedEvent) {
        claims.append(event)
    }

    private mutating func report(_ event: SimulatedEvent) {
        if event.time <= end { reports.append(event) }
    }
}
