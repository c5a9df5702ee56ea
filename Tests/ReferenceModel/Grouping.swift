/// What the rows of `conversion` stand for.
package enum Grouping: String, CaseIterable, Sendable {
    case campaign
    case category
    case variant
    case platform
    case day
    case hour
    case app_version

    package var column: String {
        switch self {
        case .campaign: "campaign_id"
        case .category: "category_id"
        default: rawValue
        }
    }
}
