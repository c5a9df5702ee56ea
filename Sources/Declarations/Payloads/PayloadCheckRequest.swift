import Events

/// The names that a server sends along with a payload. They take precedence over those in the payload.
package struct PayloadCheckRequest: Sendable, Equatable {
    package let campaign: String?
    package let variant: String?
    package let category: String?
    package let device: String?
    package let notification: String?

    /// Validates the parameters of a request.
    ///
    /// - Parameter values: the texts by the field names of events; unknown names are refused.
    package init(_ values: [String: String] = [:]) throws(DeclarationError) {
        let fields = EntryFields(place: "query")
        guard values.keys.allSatisfy(Self.names.contains) else {
            let names = Self.names.joined(separator: ", ")
            throw DeclarationError(.entry(.fieldInvalid), "a parameter is not one of \(names)")
        }
        campaign = try fields.identifier("campaign_id", values["campaign_id"])
        variant = try fields.identifier("variant", values["variant"])
        category = try fields.identifier("category_id", values["category_id"])
        device = try fields.identifier("device_id", values["device_id"])
        notification = try fields.identifier("notification_id", values["notification_id"])
    }

    private static let names = ["campaign_id", "variant", "category_id", "device_id", "notification_id"]
}
