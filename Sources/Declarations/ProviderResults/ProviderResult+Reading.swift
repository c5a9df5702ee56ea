import AfterpushWire
package import Events
import Foundation

extension ProviderResult {
    /// Turns the body of `POST /v1/provider-results` into bodies of `POST /v1/events`: one event for each result, in
    /// their order, and the events for lost tokens, or `nil` if there are none.
    ///
    /// Field values are left to the validation of events, so that one bad result doesn't cost the others.
    ///
    /// - Parameter key: the key of the app's event IDs.
    package static func events(
        _ body: [UInt8], _ key: EventIDKey
    ) throws(DeclarationError) -> (results: [UInt8], lostTokens: [UInt8]?) {
        var results: [[String: String]] = []
        var lostTokens: [[String: String]] = []
        for (index, entry) in try DeclarationList<Entry>(body).entries.enumerated() {
            let result = try entry.result(EntryFields(Entry.listName, index))
            results.append(result.event(key))
            if let lost = result.lostToken(key) { lostTokens.append(lost) }
        }
        guard let json = try? JSONEncoder().encode(results), let lost = try? JSONEncoder().encode(lostTokens) else {
            throw DeclarationError(.malformed, "the body is not valid JSON")
        }
        return (Array(json), lostTokens.isEmpty ? nil : Array(lost))
    }

    private struct Entry: DeclarationEntry {
        static let listName = "results"
        static let limit = Limits().events

        let notificationID: String?
        let deviceID: String?
        let provider: String?
        let status: Status?
        let reason: String?
        let details: Details?
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
            case details
            case occurredAt = "occurred_at"
            case campaignID = "campaign_id"
            case categoryID = "category_id"
            case variant
            case platform
        }

        func result(_ fields: EntryFields) throws(DeclarationError) -> ProviderResult {
            guard let provider = Provider(rawValue: try fields.required("provider", provider)) else {
                throw fields.error("provider", .fieldInvalid, "must be one of apns, fcm, webpush, expo")
            }
            return ProviderResult(
                provider: provider,
                notificationID: notificationID,
                deviceID: deviceID,
                status: try fields.required("status", status?.text),
                reason: reason ?? details?.error,
                occurredAt: occurredAt,
                campaignID: campaignID,
                categoryID: categoryID,
                variant: variant,
                platform: platform)
        }
    }

    /// What a ticket or receipt of Expo says of an error.
    private struct Details: Decodable {
        /// The word for the error, such as `DeviceNotRegistered`.
        let error: String?

        enum CodingKeys: String, CodingKey {
            case error
        }

        init(from decoder: any Decoder) throws {
            // Another value than Expo's says nothing, and costs nothing.
            error = try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .error)
        }
    }

    /// A status such as `410`, `"410"` or `"Unregistered"`.
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
