import Foundation
import Reports

/// An inspection as lines for people.
struct InspectionText {
    private struct Document: Decodable {
        let summary: [String]
        let deliveries: [Delivery]
        let moreDeliveries: Bool
        let rejectedEvents: [Rejection]
    }

    private struct Delivery: Decodable {
        let deliveryId: String
        let notificationId: String?
        let deviceId: String?
        let campaignId: String?
        let variant: String?
        let categoryId: String?
        let categoryVersion: Int?
        let platform: String?
        let appVersion: String?
        let explanation: [String]
        let events: [Event]
    }

    private struct Event: Decodable {
        let eventId: String
        let kind: String
        let occurredAt: String
        let correctedAt: String?
        let deviceId: String
        let notificationId: String?
        let actionIdentifier: String?
        let userText: String?
        let name: String?
        let reason: String?
        let verified: Bool
        let notes: [String]
    }

    private struct Rejection: Decodable {
        let receivedAt: String
        let code: String
        let detail: String
        let event: String?
    }

    private let document: Document

    init(json: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        document = try decoder.decode(Document.self, from: Data(json.utf8))
    }

    /// The lines, with control characters made visible.
    var lines: [String] {
        var lines = document.summary
        for delivery in document.deliveries { lines += [""] + Self.lines(delivery) }
        if document.moreDeliveries { lines += ["", "There are more deliveries, which are not listed."] }
        for rejection in document.rejectedEvents {
            lines += ["", "Rejected \(Self.time(rejection.receivedAt))  \(rejection.code): \(rejection.detail)"]
            if let event = rejection.event { lines.append("  " + event) }
        }
        return lines.map { TerminalText.visible($0) }
    }

    private static func lines(_ delivery: Delivery) -> [String] {
        let first = delivery.events.first
        let notification = delivery.notificationId ?? first?.notificationId
        let device = delivery.deviceId ?? first?.deviceId
        let names = [
            notification.map { "notification \($0)" }, device.map { "device \($0)" },
            delivery.campaignId.map { "campaign \($0)" }, delivery.variant.map { "variant \($0)" },
            delivery.categoryId.map { category in
                "category \(category)" + (delivery.categoryVersion.map { " version \($0)" } ?? "")
            },
            delivery.platform, delivery.appVersion.map { "app \($0)" },
        ].compactMap(\.self)
        return ["Delivery \(delivery.deliveryId)", "  " + names.joined(separator: ", ")]
            + delivery.explanation.map { "  " + $0 } + delivery.events.flatMap(lines)
    }

    private static func lines(_ event: Event) -> [String] {
        let what = [
            event.kind, event.actionIdentifier, event.name, event.userText.map { "\"\($0)\"" },
            event.reason.map { "(\($0))" },
        ].compactMap(\.self).joined(separator: " ")
        let verified = event.verified ? ", verified" : ""
        let head = "  \(time(event.correctedAt ?? event.occurredAt))  \(what)\(verified)  \(event.eventId)"
        return [head] + event.notes.map { "    " + $0 }
    }

    private static func time(_ text: String) -> String {
        text.prefix(19) + "Z"
    }
}
