/// A name in an event, with its parent and what vouches for it.
///
/// Names are compared by bytes, as in the database; Swift treats different spellings of a character as equal.
package struct ReferencedName: Sendable, Hashable {
    package let appID: Int32
    package let kind: NameKind
    /// The campaign of a variant or the category of a version; empty for other kinds.
    package let parent: String
    package let name: String
    package let source: NameSource

    package init(appID: Int32, kind: NameKind, parent: String = "", name: String, source: NameSource) {
        self.appID = appID
        self.kind = kind
        self.parent = parent
        self.name = name
        self.source = source
    }

    package static func == (one: ReferencedName, other: ReferencedName) -> Bool {
        one.appID == other.appID && one.kind == other.kind && one.source == other.source
            && one.parent.isSame(as: other.parent) && one.name.isSame(as: other.name)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(appID)
        hasher.combine(kind)
        hasher.combine(source)
        hasher.combine(bytesOf: parent)
        hasher.combine(bytesOf: name)
    }

    /// Returns the reason for refusing a declared send with this name.
    package func detail(quota: Int) -> String {
        let place = kind == .variant ? " of its campaign" : kind == .categoryVersion ? " of its category" : ""
        return "\(kind.field) is not declared, and the limit of \(quota) undeclared names\(place) is reached"
    }
}

/// What vouches for a name in an event. The raw values are those of the database.
package enum NameSource: String, Sendable, Hashable, CaseIterable {
    /// Nothing: anyone with the public ingest key can state the name.
    case unverified
    /// A receipt that is bound to the event's device. A device that has one can still make up names.
    case receipt
    /// The server: it posted the name with a send key, or signed it in a receipt.
    case server
}

extension Hasher {
    /// Adds the bytes and the length of a text; unlike the text itself, they differ between spellings of a character.
    mutating func combine(bytesOf text: String?) {
        guard let text else {
            combine(-1)
            return
        }
        combine(text.utf8.count)
        var bytes = text
        bytes.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The kind of a name in an event. The raw values are those of the database.
package enum NameKind: String, Sendable, Hashable, CaseIterable {
    case campaign
    /// The name of a variant, within its campaign.
    case variant
    case category
    /// The version of a category, within the category.
    case categoryVersion = "category_version"
    case action
    case appVersion = "app_version"

    /// The event field that contains the name.
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

extension String {
    /// Whether two texts have the same bytes. Swift's `==` also holds for different spellings of a character.
    package func isSame(as other: String?) -> Bool {
        guard let other else { return false }
        return utf8.elementsEqual(other.utf8)
    }
}
