package import AfterpushWire
import Events
import Foundation

extension DeclaredSend {
    /// Reads the sends of a body of `POST /v1/sends`, in their order.
    ///
    /// - Parameter now: the collector's clock.
    package static func list(_ body: [UInt8], at now: Timestamp) throws(DeclarationError) -> [DeclaredSend] {
        var sends: [DeclaredSend] = []
        for (index, entry) in try DeclarationList<Entry>(body).entries.enumerated() {
            sends.append(try entry.send(EntryFields(Entry.listName, index), now))
        }
        return sends
    }

    private struct Entry: DeclarationEntry {
        static let listName = "sends"
        static let limit = 1_000
        /// The largest total: more than any campaign sends, and small enough for reports to add up.
        private static let mostCounted: Int64 = 1_000_000_000_000

        let sendID: String?
        let campaignID: String?
        let categoryID: String?
        let categoryVersion: Double?
        let variant: String?
        let platform: String?
        let count: Double
        let failed: Double?
        let sentAt: String?

        enum CodingKeys: String, CodingKey {
            case sendID = "send_id"
            case campaignID = "campaign_id"
            case categoryID = "category_id"
            case categoryVersion = "category_version"
            case variant
            case platform
            case count
            case failed
            case sentAt = "sent_at"
        }

        func send(_ fields: EntryFields, _ now: Timestamp) throws(DeclarationError) -> DeclaredSend {
            let totals = 0...Self.mostCounted
            return DeclaredSend(
                id: try id(fields),
                campaign: try fields.required("campaign_id", campaignID),
                category: try fields.identifier("category_id", categoryID),
                categoryVersion: try fields.version("category_version", categoryVersion),
                variant: try fields.identifier("variant", variant),
                platform: try platform(fields),
                count: try fields.number("count", count, in: totals) ?? 0,
                failed: try fields.number("failed", failed, in: totals) ?? 0,
                sentAt: try time(fields, now))
        }

        private func id(_ fields: EntryFields) throws(DeclarationError) -> UUID {
            let text = Array(try fields.required("send_id", sendID).utf8)
            guard let id = UUID(text: text.span) else { throw fields.error("send_id", .fieldInvalid, "is not a UUID") }
            return id
        }

        private func platform(_ fields: EntryFields) throws(DeclarationError) -> Platform? {
            guard let text = try fields.identifier("platform", platform) else { return nil }
            guard let platform = Platform(rawValue: text) else {
                throw fields.error("platform", .fieldInvalid, "is not a known platform")
            }
            return platform
        }

        private func time(_ fields: EntryFields, _ now: Timestamp) throws(DeclarationError) -> Timestamp {
            let text = try fields.required("sent_at", sentAt)
            guard let time = Timestamp(text) else {
                throw fields.error("sent_at", .occurredAtInvalid, "is not an RFC 3339 time")
            }
            guard time.microseconds - now.microseconds <= Limits().futureMicroseconds else {
                throw fields.error("sent_at", .occurredAtOutOfRange, "is more than 24 hours ahead")
            }
            return time
        }
    }
}
