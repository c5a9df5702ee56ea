/// The campaign and category to which an event assigns its delivery.
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

    /// Replaces the event's own values with the claims of its receipt.
    ///
    /// A variant is meaningless without its campaign, and so is a version without its category. The event's own variant
    /// or version is therefore kept only if the claims have no other campaign or category.
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
