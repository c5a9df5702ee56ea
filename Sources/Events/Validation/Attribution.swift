/// Which campaign and category a delivery belongs to, as one event has it.
struct Attribution {
    private(set) var campaignID: String?
    private(set) var variant: String?
    private(set) var categoryID: String?
    private(set) var categoryVersion: Int32?

    init(_ fields: EventFields) throws(EventValidationError) {
        campaignID = try fields.text(.campaignID)
        variant = try fields.text(.variant)
        categoryID = try fields.text(.categoryID)
        categoryVersion = try fields.integer(.categoryVersion, in: 1...Int32.max)
    }

    /// Lets a receipt's claims take the place of what the event states.
    ///
    /// A variant means nothing without its campaign, nor a version without its category: the event's own is kept only
    /// beside a campaign or category that the claims agree with.
    mutating func override(with claims: ReceiptClaims) {
        if let claimed = claims.campaignID, !claimed.isSame(as: campaignID) {
            campaignID = claimed
            variant = nil
        }
        if let claimed = claims.categoryID, !claimed.isSame(as: categoryID) {
            categoryID = claimed
            categoryVersion = nil
        }
        variant = claims.variant ?? variant
        categoryVersion = claims.categoryVersion ?? categoryVersion
    }
}
