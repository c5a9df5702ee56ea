import Events

/// The names that events of a payload's notifications will have: those in the request, or else in the payload.
package struct PayloadNames: Sendable {
    /// The payload's `msgid`, or else its `notification_id`. The id in a receipt takes precedence.
    let notification: String?
    package let campaign: String?
    let variant: String?
    package let category: String?
    let device: String?
    /// The findings about values that can't be names.
    let flaws: [PayloadFinding]

    package init(_ payload: PushPayload, _ request: PayloadCheckRequest) {
        var flaws: [PayloadFinding] = []
        func stated(_ member: (name: String, value: PayloadValue)?) -> String? {
            guard let member, member.value != .word(Array("null".utf8)) else { return nil }
            guard let text = member.value.text else {
                flaws.append(PayloadFinding(.identifierInvalid, "\(member.name) is not a string"))
                return nil
            }
            if text.isEmpty { return nil }
            guard text.utf8.count <= Limits().identifierBytes, !text.utf8.contains(0) else {
                let limit = Limits().identifierBytes
                flaws.append(PayloadFinding(.identifierInvalid, "\(member.name) is longer than \(limit) bytes"))
                return nil
            }
            return text
        }
        let own = stated(payload.customValue("msgid", "notification_id"))
        notification = request.notification ?? own
        campaign = request.campaign ?? stated(payload.customValue("campaign_id", "campaign"))
        variant = request.variant ?? stated(payload.customValue("variant"))
        category = request.category ?? stated(payload.category)
        device = request.device
        self.flaws = flaws
    }
}
