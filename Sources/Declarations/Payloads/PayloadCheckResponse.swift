/// What is answered to whoever had a payload checked.
package struct PayloadCheckResponse: Sendable {
    package let findings: [PayloadFinding]
    /// The payload with receipt and campaign keys.
    package let payload: PayloadValue

    package var hasErrors: Bool { findings.contains { $0.severity == .error } }
}

extension PayloadCheck {
    /// - Parameter receipt: one that claims what `receipt` asks for, signed; nil where that is nil.
    package func answer(receipt: String?) -> PayloadCheckResponse {
        var completed = payload
        add(receipt, PayloadReceipt.key, to: &completed)
        add(names.campaign, "campaign_id", to: &completed)
        add(names.variant, "variant", to: &completed)
        if payload.own("msgid", "notification_id") == nil { add(names.notification, "notification_id", to: &completed) }
        return PayloadCheckResponse(findings: findings + [size(completed)], payload: completed.root)
    }

    private func add(_ text: String?, _ name: String, to completed: inout PushPayload) {
        guard let text else { return }
        for path in payload.customPaths { completed.root.set(name, to: .text(text), at: path) }
    }

    private func size(_ completed: PushPayload) -> PayloadFinding {
        let limit = payload.sizeLimit
        let sizes = "\(payload.size) bytes as sent, \(completed.size) with the added keys"
        guard completed.size > limit else { return PayloadFinding(.sizeFits, "\(sizes), of \(limit)") }
        return PayloadFinding(.payloadTooLarge, "\(sizes): the provider accepts \(limit)")
    }
}
