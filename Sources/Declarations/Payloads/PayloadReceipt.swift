import Events

/// Whether the receipt that a payload has will do, and what another one should claim.
struct PayloadReceipt {
    private(set) var findings: [PayloadFinding] = []
    /// The claims of the receipt that stays.
    private(set) var kept: ReceiptClaims?
    /// The claims of the one to be made.
    private(set) var wanted: ReceiptClaims?

    init(_ payload: PushPayload, _ names: PayloadNames, _ facts: PayloadCheckContext) {
        if let member = payload.own(Self.key) {
            kept = verified(member.value, names, facts)
        } else {
            note(
                facts.requiresReceipt ? .receiptRequired : .receiptMissing,
                "it has no receipt, so responses to it can't be verified; one is added")
        }
        guard let kept else {
            wanted = Self.claims(names, facts)
            if names.device == nil { note(.receiptUnbound, "without device_id the added receipt verifies nothing") }
            return
        }
        guard kept.deviceID == nil else { return }
        if names.device == nil {
            note(.receiptUnbound, "the receipt names no device, so it verifies nothing")
        } else {
            note(.receiptUnbound, "the receipt names no device; it is replaced by one that does")
            var claims = kept
            claims.deviceID = names.device
            wanted = claims
        }
    }

    /// The member under which receipts ride.
    static let key = "afterpush"

    private mutating func note(_ code: PayloadFinding.Code, _ detail: String) {
        findings.append(PayloadFinding(code, detail))
    }

    /// The receipt's claims, if events with it would be taken.
    private mutating func verified(
        _ value: PayloadValue, _ names: PayloadNames, _ facts: PayloadCheckContext
    ) -> ReceiptClaims? {
        let claims: ReceiptClaims
        do throws(ReceiptError) {
            claims = try facts.verifier.verify(value.text ?? "", at: facts.now)
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

    private static func claims(_ names: PayloadNames, _ facts: PayloadCheckContext) -> ReceiptClaims {
        ReceiptClaims(
            app: facts.app, notificationID: names.notification ?? facts.newID, deviceID: names.device,
            issuedAt: facts.now, expiresAt: ReceiptLifetime.end(of: facts.now), campaignID: names.campaign,
            categoryID: names.category, variant: names.variant)
    }
}
