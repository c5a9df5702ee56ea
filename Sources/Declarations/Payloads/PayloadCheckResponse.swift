/// The result of a payload check.
package struct PayloadCheckResponse: Sendable {
    package let findings: [PayloadFinding]
    /// The payload with the receipt and the campaign keys added.
    package let payload: PayloadValue

    package var hasErrors: Bool { findings.contains { $0.severity == .error } }
}

extension PayloadCheck {
    /// Returns the response, whose payload has the receipt and the names added.
    ///
    /// - Parameter receipt: the signed receipt for the claims in `receipt`, or `nil` if there are none.
    package func answer(receipt: String?) -> PayloadCheckResponse {
        var completed = payload
        add(receipt, PayloadReceipt.key, to: &completed)
        add(names.campaign, "campaign_id", to: &completed)
        add(names.variant, "variant", to: &completed)
        if payload.customValue("msgid", "notification_id") == nil {
            add(names.notification, "notification_id", to: &completed)
        }
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
