/// The report `failures`: what providers and devices said of failures, by reason, and what tokens were registered.
package func failuresReport(
    events: [ModelEvent], declarations: Declarations, selection: Selection
) -> [ModelRow] {
    let told = deliveryTellings(events, declarations, selection) + deviceTellings(events, selection)
    var rows: [FailureRow] = []
    for (group, tellings) in Dictionary(grouping: told, by: \.group) {
        for (kind, ofKind) in Dictionary(grouping: tellings.filter { $0.event.kind.isToldOfFailure }, by: \.event.kind)
        {
            let attempts = Set(tellings.filter { kind.isAttempt(by: $0.event.kind) }.map(\.subject)).count
            for (reason, ofReason) in Dictionary(grouping: ofKind, by: \.event.toldReason) {
                rows.append(
                    FailureRow(group: group, kind: kind, reason: reason, attempts: attempts, tellings: ofReason))
            }
        }
    }
    let declared = selection.groupsByTime ? [] : declaredFailures(declarations, selection)
    return (rows.map { ($0.key, $0.row(selection)) } + declared).sorted { precedes($0.0, $1.0) }.map(\.1)
}

/// An event and the group that it counts in.
private struct Telling {
    let event: ModelEvent
    let group: [Identifier?]
    /// What rates count: the delivery, or the device for kinds about it alone.
    let subject: [Identifier?]
}

private struct FailureRow {
    let group: [Identifier?]
    let kind: ModelKind
    let reason: Identifier?
    let attempts: Int
    let tellings: [Telling]

    var key: [Identifier?] { group + [Identifier(kind.rawValue), reason] }

    func row(_ selection: Selection) -> ModelRow {
        let isAboutDevices = kind.isAboutDeviceAlone
        let deliveries = Set(tellings.map(\.subject)).count
        return failureRow(
            selection, group, Identifier(kind.rawValue), reason, events: .int(tellings.count),
            deliveries: isAboutDevices ? .null : .int(deliveries),
            devices: .int(Set(tellings.map(\.event.deviceID)).count),
            attempts: kind.isPermission ? nil : attempts,
            failed: !isAboutDevices || kind == .token_failed ? deliveries : nil,
            times: tellings.map(\.event.occurredAt))
    }
}

private func failureRow(
    _ selection: Selection, _ group: [Identifier?], _ kind: Identifier, _ reason: Identifier?, events: ModelValue,
    deliveries: ModelValue, devices: ModelValue, attempts: Int?, failed: Int?, times: [Int]
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
    return row
}

private func deliveryTellings(
    _ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection
) -> [Telling] {
    Delivery.all(in: events, of: selection.app).flatMap { delivery -> [Telling] in
        guard
            let selected = SelectedDelivery(delivery, declarations: declarations, selection: selection)
        else { return [] }
        let group = selection.by.map { selected.placement.value(of: $0, in: selection) }
        return selected.events.map {
            Telling(event: $0, group: group, subject: [$0.notificationID, $0.deviceID])
        }
    }
}

/// Events of devices alone count by their own time and by what they state of the device.
private func deviceTellings(_ events: [ModelEvent], _ selection: Selection) -> [Telling] {
    Delivery.stored(events).compactMap { event -> Telling? in
        guard event.app == selection.app, event.kind.isAboutDeviceAlone else { return nil }
        guard event.verified || !selection.verified else { return nil }
        let hour = hourStart(event.occurredAt)
        let facts = Dimensions(platform: event.platform, appVersion: event.appVersion)
        guard selection.selects(hour: hour), selection.selects(facts) else { return nil }
        let placement = Placement(facts, hour: hour, declarations: Declarations(), asOf: selection.asOf)
        let group = selection.by.map { placement.value(of: $0, in: selection) }
        return Telling(event: event, group: group, subject: [event.deviceID])
    }
}

/// What declared sends state as failed, without a reason.
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
    /// As the wire object says it.
    fileprivate var toldReason: Identifier? {
        switch kind {
        case .failed, .token_failed, .attachment_failed: reason ?? "Unregistered"
        default: reason
        }
    }
}

extension ModelKind {
    fileprivate var isToldOfFailure: Bool {
        switch self {
        case .failed, .attachment_failed, .extension_expired, .token_failed, .token_registered: true
        default: isPermission
        }
    }

    fileprivate var isPermission: Bool {
        self == .permission_granted || self == .permission_revoked
    }

    /// Whether an event of another kind, or of this one, shows that this one could have happened.
    fileprivate func isAttempt(by kind: ModelKind) -> Bool {
        switch self {
        case .failed: kind == .sent || kind == .failed
        case .attachment_failed, .extension_expired: kind.showsDelivery
        default: kind == .token_registered || kind == .token_failed
        }
    }
}
