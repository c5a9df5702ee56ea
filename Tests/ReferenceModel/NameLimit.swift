import Foundation

/// The names that an app's events may use once no other undeclared name has room.
///
/// metrics.md: "Names past their limit never cost an event: it is stored with that dimension unknown, and `health` counts
/// it. Names that a verified event used are free for all."
private struct AllowedNames {
    private var campaigns: Set<Identifier?> = [nil]
    private var categories: Set<Identifier?> = [nil]
    /// An event may itself name the action under which those past the limit count.
    private var actions: Set<Identifier?> = [nil, ModelEvent.otherAction]
    private var appVersions: Set<Identifier?> = [nil]

    init(_ declarations: Declarations, events: [ModelEvent]) {
        campaigns.formUnion(declarations.campaigns.map(\.id))
        campaigns.formUnion(declarations.sends.map(\.campaign))
        categories.formUnion(declarations.categories.map(\.category))
        categories.formUnion(declarations.sends.map(\.category))
        actions.formUnion(declarations.categories.flatMap(\.actions).map(\.id))
        for event in events where event.verified {
            campaigns.insert(event.campaign)
            categories.insert(event.category)
            if event.kind.isAct { actions.insert(event.actionIdentifier) }
            appVersions.insert(event.appVersion)
        }
    }

    /// The event as it is stored (decision D29).
    func limit(_ event: ModelEvent) -> ModelEvent {
        guard !event.verified else { return event }
        var limited = event
        if !campaigns.contains(event.campaign) {
            limited.namesPastLimit.insert("campaign")
            if event.variant != nil { limited.namesPastLimit.insert("variant") }
            limited.campaign = nil
            limited.variant = nil
        }
        if !categories.contains(event.category) {
            limited.namesPastLimit.insert("category")
            if event.categoryVersion != nil { limited.namesPastLimit.insert("category_version") }
            limited.category = nil
            limited.categoryVersion = nil
        }
        if event.kind.isAct, !actions.contains(event.actionIdentifier) {
            limited.namesPastLimit.insert("action")
            limited.actionIdentifier = ModelEvent.otherAction
        }
        if !appVersions.contains(event.appVersion) {
            limited.namesPastLimit.insert("app_version")
            limited.appVersion = nil
        }
        return limited
    }
}

extension ModelEvent {
    /// The identifier under which the actions count whose names are past their limit.
    package static let otherAction: Identifier = "(other)"

    /// The event with a name that no other kind of sender states, if it is one of a quarter of the unverified events.
    fileprivate var withMadeUpName: ModelEvent {
        let id = eventID.uuid
        guard !verified, receipt == nil, id.5 % 4 == 0 else { return self }
        var event = self
        let name = Identifier("made up \(id.6 % 7)")
        switch id.7 % 4 {
        case 0: event.campaign = name
        case 1: event.category = name
        case 2 where kind.isAct: event.actionIdentifier = name
        default: event.appVersion = name
        }
        return event
    }
}

extension Scenario {
    /// The scenario as it counts if verified events are stored first, and undeclared names of other events have no room.
    ///
    /// It leaves out unverified events with receipts: those that name no device, and sends of devices. The names in their
    /// receipts are free for all, so other events would depend on their order.
    package var withoutRoomForNames: Scenario {
        var limited = self
        limited.posted = posted.filter { $0.receipt == nil || $0.validated.verified }.map(\.withMadeUpName)
        let accepted = limited.posted.filter { rejection(of: $0) == nil }.map(\.validated)
        limited.events = apps.flatMap { app -> [ModelEvent] in
            let own = accepted.filter { $0.app == app }
            guard let declarations = declarations[app] else { return own }
            let names = AllowedNames(declarations, events: own)
            return own.map { names.limit($0) }
        }
        return limited
    }
}
