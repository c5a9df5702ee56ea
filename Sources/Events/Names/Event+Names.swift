import AfterpushWire

extension Event {
    /// The identifier of all actions whose names are past their limit.
    package static let otherAction = "(other)"

    /// The names by which reports group events, and which a sender can choose freely.
    package var statedNames: [ReferencedName] {
        var names: [ReferencedName] = []
        func add(_ kind: NameKind, _ name: String?, below parent: String = "") {
            guard let name else { return }
            names.append(
                ReferencedName(appID: appID, kind: kind, parent: parent, name: name, source: source(of: kind)))
        }
        add(.campaign, campaignID)
        // Without a campaign a variant means nothing, nor a version without a category.
        if let campaignID { add(.variant, variant, below: campaignID) }
        add(.category, categoryID)
        if let categoryID { add(.categoryVersion, categoryVersion.map { String($0) }, below: categoryID) }
        if let actionIdentifier, namesAction, actionIdentifier != Self.otherAction { add(.action, actionIdentifier) }
        add(.appVersion, appVersion)
        return names
    }

    /// The hash of all these names and their sources together, which differs between processes.
    var namesHash: Int {
        var hasher = Hasher()
        hasher.combine(appID)
        hasher.combine(verified)
        hasher.combine(serverNames)
        hasher.combine(bytesOf: campaignID)
        hasher.combine(bytesOf: variant)
        hasher.combine(bytesOf: categoryID)
        hasher.combine(categoryVersion)
        hasher.combine(bytesOf: namesAction ? actionIdentifier : nil)
        hasher.combine(bytesOf: appVersion)
        return hasher.finalize()
    }

    /// Returns the event without the names in a set, or `nil` if it has none of them.
    ///
    /// Without its campaign an event has no variant either, and without its category no category version. The name of
    /// an action becomes `otherAction`, because an action can't be without one.
    package func without(_ names: Set<ReferencedName>) -> Event? {
        var kinds = NameKinds(statedNames.filter(names.contains).map { NameKinds($0.kind) })
        if kinds.isEmpty { return nil }
        if kinds.contains(NameKinds(.campaign)), variant != nil { kinds.insert(NameKinds(.variant)) }
        if kinds.contains(NameKinds(.category)), categoryVersion != nil { kinds.insert(NameKinds(.categoryVersion)) }
        return Event(self, without: kinds)
    }

    private var namesAction: Bool { kind == .action || kind == .textInput }

    private func source(of kind: NameKind) -> NameSource {
        serverNames.contains(NameKinds(kind)) ? .server : verified ? .receipt : .unverified
    }
}
