/// A delivery that a report selects, with its states.
struct SelectedDelivery {
    let placement: Placement
    let notification: Identifier?
    let device: Identifier
    /// Microseconds since the Unix epoch.
    let anchor: Int
    /// The events that can prove a state: all of them or only the verified ones.
    let events: [ModelEvent]
    let campaign: Campaign?
    let campaignHasDeclaredSends: Bool

    /// Nil if the selection excludes the delivery.
    ///
    /// - Parameter placedAt: the time at which declarations apply to an anchor hour; the hour itself if nil.
    init?(
        _ delivery: Delivery, declarations: Declarations, selection: Selection, placedAt: ((Int) -> Int)? = nil
    ) {
        // "With `verified=true` a state holds only if a verified event shows it." Without any the delivery is excluded;
        // its dimensions are those that verified events state (decisions D2 and D15).
        let evidence = selection.verified ? delivery.events.filter(\.verified) : delivery.events
        guard !evidence.isEmpty else { return nil }
        if let within = selection.within {
            // "Deliveries at least h old", and of them what happened "within h of the anchor" (decision D76).
            guard delivery.anchor + within <= selection.asOf else { return nil }
            events = evidence.filter { $0.occurredAt <= delivery.anchor + within }
        } else {
            events = evidence
        }
        let dimensions = selection.verified ? delivery.verifiedDimensions : delivery.dimensions
        guard selection.selects(hour: delivery.anchorHour), selection.selects(dimensions) else { return nil }
        placement = Placement(
            dimensions,
            hour: placedAt?(delivery.anchorHour) ?? delivery.anchorHour,
            declarations: declarations,
            asOf: selection.asOf
        )
        notification = delivery.notification
        device = delivery.device
        anchor = delivery.anchor
        campaign = declarations.campaign(dimensions.campaign)
        campaignHasDeclaredSends = !declarations.declaredSends(of: dimensions.campaign).isEmpty
    }

    /// All selected deliveries, in no particular order.
    static func all(
        _ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection, heldOut: Bool = false
    ) -> [SelectedDelivery] {
        Delivery.all(in: events, of: selection.app, heldOut: heldOut).compactMap {
            SelectedDelivery($0, declarations: declarations, selection: selection)
        }
    }

    private func has(_ kind: ModelKind) -> Bool {
        events.contains { $0.kind == kind }
    }
}

// The states in the order of metrics.md's table.
extension SelectedDelivery {
    /// "By a random choice, this device was not sent the notification."
    var isHeldOut: Bool { has(.held_out) }
    /// "A `sent` event".
    var isSent: Bool { has(.sent) }
    /// Sent, and not by a local trigger alone (decision D60).
    var isSentByProvider: Bool { events.contains { $0.kind == .sent && $0.verified } }
    /// Sent, and nothing else is known of it; a conversion too late to count is nothing.
    var isOnlySent: Bool {
        isSent && events.allSatisfy { $0.kind == .sent || $0.kind == .converted && !hasConvertedInTime }
    }
    /// "A `failed` event, and no sign of the delivery on the device": not `delivered` (decision D16).
    var isFailed: Bool { has(.failed) && !isDelivered }
    /// "A `delivered` event".
    var isConfirmed: Bool { has(.delivered) }
    var isDelivered: Bool { events.contains { $0.kind.showsDelivery } }
    /// "A `displayed` event".
    var isDisplayed: Bool { has(.displayed) }
    /// "The default action".
    var isOpened: Bool { has(.opened) }
    /// "`acted` = any".
    var isActed: Bool { events.contains { $0.kind.isAct } }
    /// "Text input".
    var isReplied: Bool { has(.text_input) }
    /// "The dismiss identifier".
    var isDismissed: Bool { has(.dismissed) }
    /// "A read receipt".
    var isRead: Bool { has(.read) }
    /// "Opened, acted, replied or dismissed".
    var isResponded: Bool { isOpened || isActed || isReplied || isDismissed }
    /// "A `replaced` event names it and it did not respond".
    var isReplaced: Bool { has(.replaced) && !isResponded }
    /// Without a response, and "neither" refused nor replaced: "a row's counts add up" (decision D3).
    var isUnanswered: Bool { !isResponded && !isFailed && !isReplaced }
    /// Refused, in a base that counts deliveries and contains it (decision D25).
    var isRefusedSend: Bool { isFailed && !isReplaced && !campaignHasDeclaredSends }
    /// "Acted with a goal action, or a `converted` event".
    var isConverted: Bool { hasConvertedInTime || actions.contains { isGoal($0) } }

    /// "A `converted` event counts if it lies within the campaign's `conversion_window` (default: its response window)
    /// after the anchor", both ends included (decision D63).
    private var hasConvertedInTime: Bool {
        let seconds = campaign?.conversionWindowSeconds ?? campaign?.windowSeconds ?? Campaign.defaultWindowSeconds
        return events.contains {
            $0.kind == .converted && (anchor...anchor + seconds * 1_000_000).contains($0.occurredAt)
        }
    }

    /// "Goals are those of the category version and those of the campaign together; if neither names one, every action
    /// and text input that is not declared destructive".
    private func isGoal(_ action: Identifier) -> Bool {
        let ofVersion = placement.version?.actions.filter(\.goal).map(\.id) ?? []
        let ofCampaign = campaign?.goalActions ?? []
        let goals = ofVersion + ofCampaign
        if goals.isEmpty {
            let declared = placement.version?.action(action)
            return !(declared?.isDestructive ?? false)
        }
        return goals.contains(action)
    }
}

extension SelectedDelivery {
    /// The distinct actions and text inputs of the delivery.
    var actions: Set<Identifier> {
        Set(events.filter(\.kind.isAct).compactMap(\.effectiveAction))
    }

    /// "For each kind, the earliest `occurred_at`."
    var confirmedAt: Int? {
        events.filter { $0.kind == .delivered }.map(\.occurredAt).min()
    }

    /// The times at which it may have opened the app: "an opening or action ..., not a dismissal".
    var openingTimes: [Int] {
        events.filter { $0.kind == .opened || $0.kind.isAct }.map(\.occurredAt)
    }

    private func acts(_ action: Identifier) -> [ModelEvent] {
        events.filter { $0.kind.isAct && $0.effectiveAction == action }
    }

    /// "`acted(x)`: the action or text input `x`".
    func isActed(_ action: Identifier) -> Bool {
        !acts(action).isEmpty
    }

    /// "`total` columns count events."
    func total(_ action: Identifier) -> Int {
        acts(action).count
    }

    /// The seconds from the confirmation, otherwise from the send, to the first such action; nil without both
    /// (decision D7).
    func secondsToAction(_ action: Identifier) -> Double? {
        let sent = events.filter { $0.kind == .sent }.map(\.occurredAt).min()
        guard let start = confirmedAt ?? sent, let end = acts(action).map(\.occurredAt).min() else { return nil }
        // "A negative one counts as 0".
        return Double(max(0, end - start)) / 1_000_000
    }
}

extension ModelEvent {
    fileprivate var effectiveAction: Identifier? {
        countedAction ?? actionIdentifier
    }
}
