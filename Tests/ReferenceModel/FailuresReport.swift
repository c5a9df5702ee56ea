/// Computes the report `failures`: failures that providers and devices reported, by reason, and token registrations.
package func failuresReport(
    events: [ModelEvent], declarations: Declarations, selection: Selection
) -> [ModelRow] {
    let grouped = deliveryEvents(events, declarations, selection) + deviceEvents(events, selection)
    var rows: [FailureRow] = []
    for (group, inGroup) in Dictionary(grouping: grouped, by: \.group) {
        for (kind, ofKind) in Dictionary(
            grouping: inGroup.filter { $0.event.kind.isFailureOrRegistration }, by: \.event.kind)
        {
            let attempts = Set(inGroup.filter { kind.isAttempt(by: $0.event.kind) }.map(\.subject)).count
            for (reason, ofReason) in Dictionary(grouping: ofKind, by: \.event.effectiveReason) {
                rows.append(
                    FailureRow(group: group, kind: kind, reason: reason, attempts: attempts, events: ofReason))
            }
        }
    }
    let declared = declaredFailures(declarations, selection)
    return (rows.map { ($0.key, $0.row(selection)) } + declared).sorted { precedes($0.0, $1.0) }.map(\.1)
}

/// An event and the group in which it counts.
private struct GroupedEvent {
    let event: ModelEvent
    let group: [Identifier?]
    /// The subject that rates count: the delivery, or the device for kinds about the device only.
    let subject: [Identifier?]
}

private struct FailureRow {
    let group: [Identifier?]
    let kind: ModelKind
    let reason: Identifier?
    let attempts: Int
    let events: [GroupedEvent]

    var key: [Identifier?] { group + [Identifier(kind.rawValue), reason] }

    func row(_ selection: Selection) -> ModelRow {
        let isAboutDevices = kind.isAboutDeviceAlone
        let deliveries = Set(events.map(\.subject)).count
        return failureRow(
            selection, group, Identifier(kind.rawValue), reason, events: .int(events.count),
            deliveries: isAboutDevices ? .null : .int(deliveries),
            devices: .int(Set(events.map(\.event.deviceID)).count),
            attempts: kind.isPermission ? nil : attempts,
            failed: !isAboutDevices || kind == .token_failed ? deliveries : nil,
            times: events.map(\.event.occurredAt),
            verified: Double(events.count(where: \.event.verified)) / Double(events.count))
    }
}

private func failureRow(
    _ selection: Selection, _ group: [Identifier?], _ kind: Identifier, _ reason: Identifier?, events: ModelValue,
    deliveries: ModelValue, devices: ModelValue, attempts: Int?, failed: Int?, times: [Int], verified: Double? = nil
) -> ModelRow {
    var row = ModelRow()
    for (grouping, value) in zip(selection.by, group) { row.append(grouping.column, ModelValue(value)) }
    row.append("kind", .text(kind))
    row.append("reason", ModelValue(reason))
    row.append("events", events)
    row.append("deliveries", deliveries)
    row.append("devices", devices)
    row.append("attempts", attempts.map { .int($0) } ?? .null)
    let rate = Rate("failure_rate", failed ?? -1, of: attempts ?? 0)
    row.append(rate.cells(minN: selection.minN))
    row.append("first_at", times.min().map { .text(Identifier(rfc3339($0))) } ?? .null)
    row.append("last_at", times.max().map { .text(Identifier(rfc3339($0))) } ?? .null)
    row.append("suppressed", .bool(failed != nil && rate.isSuppressed(minN: selection.minN)))
    row.append("verified_share", ModelValue(verified))
    return row
}

private func deliveryEvents(
    _ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection
) -> [GroupedEvent] {
    Delivery.all(in: events, of: selection.app).flatMap { delivery -> [GroupedEvent] in
        guard
            let selected = SelectedDelivery(delivery, declarations: declarations, selection: selection)
        else { return [] }
        let group = selection.by.map { selected.placement.value(of: $0, in: selection) }
        return selected.events.map {
            GroupedEvent(event: $0, group: group, subject: [$0.notificationID, $0.deviceID])
        }
    }
}

/// Events about the device only, which count by their own time and stated dimensions.
private func deviceEvents(_ events: [ModelEvent], _ selection: Selection) -> [GroupedEvent] {
    Delivery.stored(events).compactMap { event -> GroupedEvent? in
        guard event.app == selection.app, event.kind.isAboutDeviceAlone else { return nil }
        guard event.verified || !selection.verified else { return nil }
        let hour = hourStart(event.occurredAt)
        let facts = Dimensions(platform: event.platform, appVersion: event.appVersion)
        guard selection.selects(hour: hour), selection.selects(facts) else { return nil }
        let placement = Placement(facts, hour: hour, declarations: Declarations(), asOf: selection.asOf)
        let group = selection.by.map { placement.value(of: $0, in: selection) }
        return GroupedEvent(event: event, group: group, subject: [event.deviceID])
    }
}

/// The failures of declared sends, which have no reason.
private func declaredFailures(_ declarations: Declarations, _ selection: Selection) -> [([Identifier?], ModelRow)] {
    let sends = declarations.sends.compactMap {
        SelectedSend($0, declarations: declarations, selection: selection)
    }
    let groups = Dictionary(grouping: sends) { send in selection.by.map { send.placement.value(of: $0, in: selection) }
    }
    return groups.compactMap { group, sends in
        let failed = sends.map(\.failed).reduce(0, +)
        guard failed > 0 else { return nil }
        let row = failureRow(
            selection, group, "declared", nil, events: .null, deliveries: .int(failed), devices: .null,
            attempts: failed + sends.map(\.count).reduce(0, +), failed: failed, times: [])
        return (group + ["declared", nil], row)
    }
}

extension ModelEvent {
    /// The reason that the wire object contains.
    fileprivate var effectiveReason: Identifier? {
        switch kind {
        case .failed, .token_failed, .attachment_failed: reason ?? "Unregistered"
        default: reason
        }
    }
}

extension ModelKind {
    fileprivate var isFailureOrRegistration: Bool {
        switch self {
        case .failed, .attachment_failed, .extension_expired, .token_failed, .token_registered: true
        default: isPermission
        }
    }

    fileprivate var isPermission: Bool {
        self == .permission_granted || self == .permission_revoked
    }

    /// Whether an event of `kind` counts as an attempt for this kind.
    fileprivate func isAttempt(by kind: ModelKind) -> Bool {
        switch self {
        case .failed: kind == .sent || kind == .failed
        case .attachment_failed, .extension_expired: kind.showsDelivery
        default: kind == .token_registered || kind == .token_failed
        }
    }
}
