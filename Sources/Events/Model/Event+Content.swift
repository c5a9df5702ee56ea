import Foundation

extension Event {
    /// Whether another event with the same ID has the same content, apart from its times and the key that sent it.
    package func says(theSameAs other: Event) -> Bool {
        kind == other.kind && platform == other.platform && categoryVersion == other.categoryVersion
            && zip(texts, other.texts).allSatisfy { Self.areEqual($0, $1) }
            && details?.utcOffsetMinutes == other.details?.utcOffsetMinutes
            && details?.trigger == other.details?.trigger && details?.handling == other.details?.handling
            && Self.areEqualNumbers(details?.value, other.details?.value)
            && Self.areEqualObjects(details?.properties, other.details?.properties)
    }

    private var texts: [String?] {
        [
            actionIdentifier, userText, campaignID, variant, categoryID, details?.appVersion, details?.osVersion,
            details?.locale, details?.surface, details?.appState, details?.dismissCause, details?.reason, details?.name,
            details?.currency,
        ]
    }

    /// Compares texts by bytes, as the database does; Swift also treats different spellings of a character as equal.
    private static func areEqual(_ one: String?, _ other: String?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    private static func areEqualNumbers(_ one: String?, _ other: String?) -> Bool {
        areEqual(one, other) || one.flatMap { Decimal(string: $0) } == other.flatMap { Decimal(string: $0) }
    }

    /// Compares JSON objects regardless of the order of their members.
    private static func areEqualObjects(_ one: String?, _ other: String?) -> Bool {
        if areEqual(one, other) { return true }
        guard let one, let other, let left = object(one), let right = object(other) else { return false }
        return left.isEqual(right)
    }

    private static func object(_ json: String) -> NSDictionary? {
        (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? NSDictionary
    }
}
