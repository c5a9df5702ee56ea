extension ModelEvent {
    /// The rejection code of contract.md; nil if the event is accepted.
    ///
    /// - Parameter requiresReceipt: whether the app requires receipts.
    package func rejection(requiresReceipt: Bool) -> String? {
        // "Send scope."
        if kind == .held_out, !verified { return "scope_insufficient" }
        guard let receipt else {
            let mayDoWithout = verified || isAboutDeviceAlone || !requiresReceipt
            return mayDoWithout ? nil : "receipt_missing"
        }
        if receipt.forgery != nil { return "receipt_invalid" }
        // "`exp` is held against the corrected `occurred_at`" (decision D26).
        if occurredAt >= receipt.expiresAt { return "receipt_expired" }
        // "Policy `required` asks for a receipt with `sub`."
        if requiresReceipt, receipt.deviceID == nil, !verified, !isAboutDeviceAlone { return "receipt_missing" }
        let isForDevice = receipt.deviceID == nil || receipt.deviceID == deviceID
        let isForEvent = receipt.notificationID == notificationID && isForDevice
        return isForEvent ? nil : "receipt_mismatch"
    }

    /// The accepted event, with the receipt's claims replacing its own fields.
    package var validated: ModelEvent {
        guard let receipt else { return self }
        var event = self
        // "An event is *verified* only by a receipt with `sub`", or by the key that posts it. "A `sent` by an ingest key
        // (local trigger) counts as sent for its own delivery" and is never verified (decision D60).
        event.verified = verified || receipt.deviceID != nil && kind != .sent
        // A pair is taken whole: the event's own value must belong to the receipt's (decision D27).
        if let campaign = receipt.campaign {
            event.variant = campaign == event.campaign ? event.variant : nil
            event.campaign = campaign
        }
        if let category = receipt.category {
            event.categoryVersion = category == event.category ? event.categoryVersion : nil
            event.category = category
        }
        event.variant = receipt.variant ?? event.variant
        event.categoryVersion = receipt.categoryVersion ?? event.categoryVersion
        return event
    }
}
