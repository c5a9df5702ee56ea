import Events

/// A check of a payload's receipt, with the claims of the receipt to add if that one isn't valid.
struct PayloadReceipt {
    private(set) var findings: [PayloadFinding] = []
    /// The claims of the payload's receipt, if it is kept.
    private(set) var kept: ReceiptClaims?
    /// The claims of the receipt to add.
    private(set) var wanted: ReceiptClaims?

    init(_ payload: PushPayload, _ names: PayloadNames, _ context: PayloadCheckContext) {
        if let member = payload.customValue(Self.key) {
            kept = verify(member.value, names, context)
        } else {
            note(
                context.requiresReceipt ? .receiptRequired : .receiptMissing,
                "it has no receipt, so responses to it can't be verified; one is added")
        }
        guard let kept else {
            wanted = Self.claims(names, context)
            if names.device == nil { noteUnbound("without device_id the added receipt verifies nothing", context) }
            return
        }
        guard kept.deviceID == nil else { return }
        if names.device == nil {
            noteUnbound("the receipt names no device, so it verifies nothing", context)
        } else {
            note(.receiptUnbound, "the receipt names no device; it is replaced by one that does")
            var claims = kept
            claims.deviceID = names.device
            wanted = claims
        }
    }

    /// The payload key of a receipt.
    static let key = "afterpush"

    private mutating func noteUnbound(_ detail: String, _ context: PayloadCheckContext) {
        if context.requiresReceipt {
            note(.receiptRequired, detail + ", and the app requires one that names the device")
        } else {
            note(.receiptUnbound, detail)
        }
    }

    private mutating func note(_ code: PayloadFinding.Code, _ detail: String) {
        findings.append(PayloadFinding(code, detail))
    }

    /// Returns the receipt's claims if events with it would be accepted.
    private mutating func verify(
        _ value: PayloadValue, _ names: PayloadNames, _ context: PayloadCheckContext
    ) -> ReceiptClaims? {
        let claims: ReceiptClaims
        do throws(ReceiptError) {
            claims = try context.verifier.verify(value.text ?? "", at: context.now)
        } catch {
            switch error {
            case .expired: note(.receiptExpired, "the receipt has expired; it is replaced")
            case .invalid: note(.receiptInvalid, "the receipt is not one of this app's; it is replaced")
            }
            return nil
        }
        guard claims.isStorable(limits: Limits()) else {
            note(.receiptInvalid, "the receipt has a claim that can't be stored; it is replaced")
            return nil
        }
        for (name, stated, claimed) in [
            ("notification", names.notification, claims.notificationID), ("device", names.device, claims.deviceID),
        ] as [(String, String?, String?)] {
            guard let stated, let claimed, !claimed.isSame(as: stated) else { continue }
            note(.receiptMismatch, "the receipt is for another \(name); it is replaced")
            return nil
        }
        note(.receiptValid, "the receipt is valid until \(claims.expiresAt)")
        noteOverrides(claims, names)
        return claims
    }

    private mutating func noteOverrides(_ claims: ReceiptClaims, _ names: PayloadNames) {
        for (name, stated, claimed) in [
            ("campaign", names.campaign, claims.campaignID), ("variant", names.variant, claims.variant),
            ("category", names.category, claims.categoryID),
        ] {
            guard let stated, let claimed, !claimed.isSame(as: stated) else { continue }
            note(.receiptOverrides, "the receipt names another \(name), which takes precedence over the payload's")
        }
    }

    private static func claims(_ names: PayloadNames, _ context: PayloadCheckContext) -> ReceiptClaims {
        ReceiptClaims(
            app: context.app, notificationID: names.notification ?? context.newID, deviceID: names.device,
            issuedAt: context.now, expiresAt: ReceiptLifetime.end(of: context.now), campaignID: names.campaign,
            categoryID: names.category, variant: names.variant)
    }
}
