extension ModelEvent {
    /// Why the event is rejected, as contract.md's code; nil if it is believed.
    ///
    /// - Parameter requiresReceipt: the policy of its app.
    package func rejection(requiresReceipt: Bool) -> String? {
        guard let receipt else {
            let mayDoWithout = verified || kind.isAboutDeviceAlone || !requiresReceipt
            return mayDoWithout ? nil : "receipt_missing"
        }
        if receipt.forgery != nil { return "receipt_invalid" }
        // "`exp` is held against the corrected `occurred_at`" (decision D26).
        if occurredAt >= receipt.expiresAt { return "receipt_expired" }
        let isForDevice = receipt.deviceID == nil || receipt.deviceID == deviceID
        let isForEvent = receipt.notificationID == notificationID && isForDevice
        return isForEvent ? nil : "receipt_mismatch"
    }

    /// The event with the receipt's claims over its own fields.
    package var believed: ModelEvent {
        guard let receipt else { return self }
        var event = self
        // "An event is *verified* only by a receipt with `sub`", or by the key that posts it.
        event.verified = verified || receipt.deviceID != nil
        // A pair is taken whole: what stays of the event's own must belong to what the receipt says (decision D27).
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
