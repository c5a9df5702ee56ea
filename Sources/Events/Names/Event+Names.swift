import AfterpushWire

extension Event {
    /// The names by which reports group events, and which a sender can choose freely.
    package var statedNames: [ReferencedName] {
        var names: [ReferencedName] = []
        func add(_ kind: NameKind, _ name: String?, below parent: String = "") {
            guard let name else { return }
            names.append(ReferencedName(appID: appID, kind: kind, parent: parent, name: name, verified: verified))
        }
        add(.campaign, campaignID)
        // Without a campaign a variant means nothing, nor a version without a category.
        if let campaignID { add(.variant, variant, below: campaignID) }
        add(.category, categoryID)
        if let categoryID { add(.categoryVersion, categoryVersion.map { String($0) }, below: categoryID) }
        if kind == .action || kind == .textInput { add(.action, actionIdentifier) }
        add(.appVersion, appVersion)
        return names
    }

    /// The hash of all these names together, which differs between processes.
    var namesHash: Int {
        var hasher = Hasher()
        hasher.combine(appID)
        hasher.combine(verified)
        hasher.combine(bytesOf: campaignID)
        hasher.combine(bytesOf: variant)
        hasher.combine(bytesOf: categoryID)
        hasher.combine(categoryVersion)
        hasher.combine(bytesOf: kind == .action || kind == .textInput ? actionIdentifier : nil)
        hasher.combine(bytesOf: appVersion)
        return hasher.finalize()
    }
}
