import Events

/// The names that events of a payload's notifications will have: what the server says, else the payload.
package struct PayloadNames: Sendable {
    /// The payload's `msgid`, else its own id; a receipt's goes before it.
    let notification: String?
    package let campaign: String?
    let variant: String?
    package let category: String?
    let device: String?
    /// What of the payload can't be a name.
    let flaws: [PayloadFinding]

    package init(_ payload: PushPayload, _ order: PayloadCheckRequest) {
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
        let own = stated(payload.own("msgid", "notification_id"))
        notification = order.notification ?? own
        campaign = order.campaign ?? stated(payload.own("campaign_id", "campaign"))
        variant = order.variant ?? stated(payload.own("variant"))
        category = order.category ?? stated(payload.category)
        device = order.device
        self.flaws = flaws
    }
}
