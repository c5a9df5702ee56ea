package import Events

extension DeclaredSend {
    /// The names that groups of reports are made of.
    package func statedNames(ofApp id: Int32) -> [ReferencedName] {
        func name(_ kind: NameKind, _ name: String, below parent: String = "") -> ReferencedName {
            ReferencedName(appID: id, kind: kind, parent: parent, name: name, verified: true)
        }
        var names = [name(.campaign, campaign)]
        if let variant { names.append(name(.variant, variant, below: campaign)) }
        guard let category else { return names }
        names.append(name(.category, category))
        if let categoryVersion { names.append(name(.categoryVersion, String(categoryVersion), below: category)) }
        return names
    }

    /// Refuses sends of which one states a name that is too many.
    package static func refuse(
        _ sends: [DeclaredSend], ofApp id: Int32, stating refused: Set<ReferencedName>, _ limits: NameLimits
    ) throws(DeclarationError) {
        guard !refused.isEmpty else { return }
        for (index, send) in sends.enumerated() {
            guard let name = send.statedNames(ofApp: id).first(where: refused.contains) else { continue }
            let detail = name.detail(quota: limits.quota(of: name.kind))
            throw DeclarationError(.entry(.limitExceeded), "sends[\(index)].\(detail)")
        }
    }
}
