package import Events

/// What Afterpush will see of the notifications that a payload makes, and what it won't.
package struct PayloadCheck: Sendable {
    let payload: PushPayload
    let names: PayloadNames
    let facts: PayloadCheckContext
    private(set) var findings: [PayloadFinding] = []
    /// What a receipt for the payload is to claim; nil if the one that it has will do.
    package private(set) var receipt: ReceiptClaims?

    package init(_ payload: PushPayload, _ names: PayloadNames, _ facts: PayloadCheckContext) {
        self.payload = payload
        self.names = names
        self.facts = facts
        checkProvider()
        findings += names.flaws
        let claims = checkReceipt()
        checkNotification(claims)
        checkCategory()
        checkDismissals()
        checkConfirmation()
        checkCampaign()
    }

    mutating func note(_ code: PayloadFinding.Code, _ detail: String) {
        findings.append(PayloadFinding(code, detail))
    }

    private mutating func checkProvider() {
        guard let provider = payload.provider else {
            note(
                .providerUnknown,
                "it has neither 'aps' (APNs), nor a message with a target or data (FCM), nor a title (web push)")
            return
        }
        note(.providerRecognised, "a payload for \(provider.rawValue)")
        if payload.isBackground {
            note(.background, "it wakes the app and shows nothing, so there is nothing to respond to")
        }
    }

    /// - Returns: the claims of the receipt that the payload has, if it will do.
    private mutating func checkReceipt() -> ReceiptClaims? {
        let verdict = PayloadReceipt(payload, names, facts)
        findings += verdict.findings
        receipt = verdict.wanted
        return verdict.kept
    }

    private mutating func checkNotification(_ claims: ReceiptClaims?) {
        if claims != nil {
            note(.notificationIDPresent, "the receipt names the notification")
        } else if names.notification != nil {
            note(.notificationIDPresent, "the payload or the request names the notification")
        } else {
            note(
                .notificationIDMissing,
                "there is no receipt, msgid or notification_id, so an id was generated for the receipt; it is good for one notification"
            )
        }
    }
}
