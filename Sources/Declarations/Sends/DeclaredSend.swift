package import AfterpushWire
package import Events
package import Foundation

/// The totals of notifications that were sent without an event for each device.
package struct DeclaredSend: Sendable {
    /// The idempotency key.
    package var id: UUID
    package var campaign: String
    package var category: String?
    /// The version of the category, or `nil` for the version in effect when they were sent.
    package var categoryVersion: Int32?
    package var variant: String?
    package var platform: Platform?
    /// The number of notifications that the provider accepted.
    package var count: Int64
    /// The number of notifications that the provider refused.
    package var failed: Int64
    package var sentAt: Timestamp
}

extension DeclaredSend {
    /// The names that reports group by.
    package func statedNames(ofApp id: Int32) -> [ReferencedName] {
        func name(_ kind: NameKind, _ name: String, below parent: String = "") -> ReferencedName {
            ReferencedName(appID: id, kind: kind, parent: parent, name: name, source: .server)
        }
        var names = [name(.campaign, campaign)]
        if let variant { names.append(name(.variant, variant, below: campaign)) }
        guard let category else { return names }
        names.append(name(.category, category))
        if let categoryVersion { names.append(name(.categoryVersion, String(categoryVersion), below: category)) }
        return names
    }

    /// Refuses the sends if one of them uses a name beyond a limit.
    package static func refuse(
        _ sends: [DeclaredSend], ofApp id: Int32, stating refused: Set<ReferencedName>, _ limits: NameLimits
    ) throws(DeclarationError) {
        guard !refused.isEmpty else { return }
        for (index, send) in sends.enumerated() {
            guard let name = send.statedNames(ofApp: id).first(where: refused.contains) else { continue }
            let detail = name.detail(quota: limits.quota(of: name.kind, from: name.source))
            throw DeclarationError(.entry(.limitExceeded), "sends[\(index)].\(detail)")
        }
    }
}
