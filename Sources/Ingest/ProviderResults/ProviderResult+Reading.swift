import AfterpushWire
package import Foundation

extension ProviderResult {
    /// The events that the body of `POST /v1/provider-results` stands for, as a body of `POST /v1/events`.
    package static func events(_ body: [UInt8]) throws(DeclarationError) -> [UInt8] {
        var events: [[String: String]] = []
        for (index, entry) in try DeclarationList<Entry>(body).entries.enumerated() {
            events += try entry.result(EntryFields(Entry.listName, index)).events
        }
        guard let json = try? JSONEncoder().encode(events) else {
            throw DeclarationError(.malformed, "the body can't be read as JSON")
        }
        return Array(json)
    }

    private struct Entry: DeclarationEntry {
        static let listName = "results"
        static let limit = 1_000

        let notificationID: String?
        let deviceID: String?
        let provider: String?
        let status: Status?
        let reason: String?
        let occurredAt: String?
        let campaignID: String?
        let categoryID: String?
        let variant: String?
        let platform: String?

        enum CodingKeys: String, CodingKey {
            case notificationID = "notification_id"
            case deviceID = "device_id"
            case provider
            case status
            case reason
            case occurredAt = "occurred_at"
            case campaignID = "campaign_id"
            case categoryID = "category_id"
            case variant
            case platform
        }

        func result(_ fields: EntryFields) throws(DeclarationError) -> ProviderResult {
            guard let provider = Provider(rawValue: try fields.required("provider", provider)) else {
                throw fields.wrong("provider", .fieldInvalid, "is none of apns, fcm, webpush")
            }
            return ProviderResult(
                provider: provider,
                notificationID: try fields.required("notification_id", notificationID),
                deviceID: try fields.required("device_id", deviceID),
                status: try fields.required("status", status?.text),
                reason: try fields.identifier("reason", reason),
                occurredAt: try time(fields),
                campaignID: try fields.identifier("campaign_id", campaignID),
                categoryID: try fields.identifier("category_id", categoryID),
                variant: try fields.identifier("variant", variant),
                platform: try platform(fields))
        }

        private func time(_ fields: EntryFields) throws(DeclarationError) -> String {
            let text = try fields.required("occurred_at", occurredAt)
            guard Timestamp(text) != nil else {
                throw fields.wrong("occurred_at", .occurredAtInvalid, "is not an RFC 3339 time")
            }
            return text
        }

        private func platform(_ fields: EntryFields) throws(DeclarationError) -> String? {
            guard let text = try fields.identifier("platform", platform) else { return nil }
            guard Platform(rawValue: text) != nil else {
                throw fields.wrong("platform", .fieldInvalid, "is none of the known platforms")
            }
            return text
        }
    }

    /// `410` or `"410"` or `"Unregistered"`.
    private struct Status: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let number = try? value.decode(Int.self) {
                text = String(number)
            } else {
                text = try value.decode(String.self)
            }
        }
    }
}
