/// What a name that an event states is the name of. Raw values are the words in the database.
package enum NameKind: String, Sendable, Hashable, CaseIterable {
    case campaign
    /// Below its campaign.
    case variant
    case category
    /// Below its category.
    case categoryVersion = "category_version"
    case action
    case appVersion = "app_version"

    /// The field that states it.
    var field: String {
        switch self {
        case .campaign: "campaign_id"
        case .variant: "variant"
        case .category: "category_id"
        case .categoryVersion: "category_version"
        case .action: "action_identifier"
        case .appVersion: "app_version"
        }
    }
}
