/// A name that an event contains, its position, and whether the event is verified.
///
/// Compared by bytes, as the database does: Swift takes different spellings of one character for equal.
package struct ReferencedName: Sendable, Hashable {
    package let appID: Int32
    package let kind: NameKind
    /// The campaign of a variant, the category of a version; empty for the others.
    package let parent: String
    package let name: String
    /// Whether a server vouches for the event.
    package let verified: Bool

    package init(appID: Int32, kind: NameKind, parent: String = "", name: String, verified: Bool) {
        self.appID = appID
        self.kind = kind
        self.parent = parent
        self.name = name
        self.verified = verified
    }

    package static func == (one: ReferencedName, other: ReferencedName) -> Bool {
        one.appID == other.appID && one.kind == other.kind && one.verified == other.verified
            && one.parent.isSame(as: other.parent) && one.name.isSame(as: other.name)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(appID)
        hasher.combine(kind)
        hasher.combine(verified)
        hasher.combine(bytesOf: parent)
        hasher.combine(bytesOf: name)
    }

    /// Why an event that states it is refused.
    package func detail(quota: Int) -> String {
        let place = kind == .variant ? " of its campaign" : kind == .categoryVersion ? " of its category" : ""
        return "\(kind.field) is not declared, and the limit of \(quota) undeclared names\(place) is reached"
    }
}

extension Hasher {
    /// The bytes of a text and their number: unlike the text itself, different for different spellings.
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
