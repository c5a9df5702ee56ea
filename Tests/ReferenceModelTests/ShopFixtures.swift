import Foundation
import ReferenceModel
import Testing

/// 2026-11-10T00:00:00Z in microseconds, a Tuesday.
let midnight = 1_794_268_800_000_000

/// A time of that day.
func clock(_ hour: Int, _ minute: Int = 0, _ second: Int = 0) -> Int {
    midnight + hour * 3_600_000_000 + minute * 60_000_000 + second * 1_000_000
}

/// An event of the app `shop`; by default of notification `n1` on device `d1` at 10:30, unverified unless it is a send,
/// which the provider posts.
func event(
    _ kind: ModelKind,
    _ notification: Identifier = "n1",
    at time: Int = clock(10, 30),
    verified: Bool? = nil,
    _ change: (inout ModelEvent) -> Void = { _ in }
) -> ModelEvent {
    var event = ModelEvent(
        app: "shop",
        notificationID: notification,
        deviceID: "d1",
        eventID: UUID(),
        kind: kind,
        occurredAt: time,
        verified: verified ?? (kind == .sent)
    )
    change(&event)
    return event
}

/// A tap on an action.
func tap(
    _ action: Identifier,
    _ notification: Identifier = "n1",
    at time: Int = clock(10, 31),
    verified: Bool = false,
    _ change: (inout ModelEvent) -> Void = { _ in }
) -> ModelEvent {
    event(.action, notification, at: time, verified: verified) { event in
        event.actionIdentifier = action
        change(&event)
    }
}

/// The selection of everything in `shop`; by default with `min_n` 1 and as of a month later.
func selection(_ change: (inout Selection) -> Void = { _ in }) throws -> Selection {
    let utc = try #require(TimeZone(identifier: "UTC"))
    var selection = Selection(app: "shop", timeZone: utc, asOf: clock(30 * 24))
    selection.minN = 1
    change(&selection)
    return selection
}

/// The rows of `conversion`.
func rows(
    _ events: [ModelEvent],
    _ declarations: Declarations = Declarations(),
    _ change: (inout Selection) -> Void = { _ in }
) throws -> [ModelRow] {
    conversionReport(events: events, declarations: declarations, selection: try selection(change))
}

/// The one row of `conversion` without `by`.
func row(
    _ events: [ModelEvent],
    _ declarations: Declarations = Declarations(),
    _ change: (inout Selection) -> Void = { _ in }
) throws -> ModelRow {
    let all = try rows(events, declarations, change)
    try #require(all.count == 1)
    return all[0]
}

/// The rows of `actions`.
func actions(
    _ events: [ModelEvent],
    _ declarations: Declarations = Declarations(),
    _ change: (inout Selection) -> Void = { _ in }
) throws -> [ModelRow] {
    actionsReport(events: events, declarations: declarations, selection: try selection(change))
}

/// A declared send of the campaign `spring`.
func declaredSend(
    _ count: Int,
    at time: Int = clock(10),
    _ change: (inout DeclaredSend) -> Void = { _ in }
) -> DeclaredSend {
    var send = DeclaredSend(sendID: UUID(), campaign: "spring", count: count, sentAt: time)
    change(&send)
    return send
}

/// The category `order`, version 1.
func order(
    _ version: Int = 1,
    from effective: Int? = nil,
    options: [String] = [],
    _ actions: DeclaredAction...
) -> CategoryVersion {
    CategoryVersion("order", version, effectiveFrom: effective, options: options, actions: actions)
}

extension ModelRow {
    /// Counts by column name; nil if the value is not a count.
    func counts(_ names: String...) -> [Int?] {
        names.map { name in
            if case .int(let count) = self[name] { return count }
            return nil
        }
    }

    /// A rate; nil if it is null, and NaN if the row does not have the column.
    func rate(_ name: String) -> Double? {
        switch self[name] {
        case .double(let double): double
        case .null: nil
        default: .nan
        }
    }
}
