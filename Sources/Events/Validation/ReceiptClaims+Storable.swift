extension ReceiptClaims {
    /// Whether the claims obey the rules for an event's own fields. A receipt can be minted by anyone's library.
    package func isStorable(limits: Limits) -> Bool {
        let texts = [notificationID, deviceID, campaignID, categoryID, variant]
        return texts.allSatisfy { text in
            guard let text else { return true }
            return !text.isEmpty && text.utf8.count <= limits.identifierBytes && !text.utf8.contains(0)
        } && (categoryVersion ?? 1) >= 1
    }
}
