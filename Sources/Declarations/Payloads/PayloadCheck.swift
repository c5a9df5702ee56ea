package import AfterpushWire
package import Events

/// A check of what Afterpush will and won't learn about a payload's notifications.
package struct PayloadCheck: Sendable {
    let payload: PushPayload
    let names: PayloadNames
    let context: PayloadCheckContext
    private(set) var findings: [PayloadFinding] = []
    /// The claims of the receipt to add, or `nil` if the payload has a valid one.
    package private(set) var receipt: ReceiptClaims?

    package init(_ payload: PushPayload, _ names: PayloadNames, _ context: PayloadCheckContext) {
        self.payload = payload
        self.names = names
        self.context = context
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

    /// Checks the payload's receipt.
    ///
    /// - Returns: the claims of the payload's own receipt, or `nil` if it has no valid one.
    private mutating func checkReceipt() -> ReceiptClaims? {
        let verdict = PayloadReceipt(payload, names, context)
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

/// The app's declarations that a payload names, and what its receipt is verified with.
package struct PayloadCheckContext: Sendable {
    package let app: String
    /// The newest version of the category that the payload names, or `nil` if it is not declared.
    package var category: (declaration: CategoryDeclaration, version: Int32)?
    /// The campaign that the payload names, or `nil` if it is not declared.
    package var campaign: CampaignDeclaration?
    /// Whether the app requires receipts from its devices.
    package var requiresReceipt = false
    package let verifier: any ReceiptVerifier
    package let now: Timestamp
    /// The id for a notification that has none.
    package let newID: String

    package init(app: String, verifier: any ReceiptVerifier, now: Timestamp, newID: String) {
        self.app = app
        self.verifier = verifier
        self.now = now
        self.newID = newID
    }
}
