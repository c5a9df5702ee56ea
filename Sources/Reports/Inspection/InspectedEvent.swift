import Foundation

/// What the notes on an event need of it, as `inspect_events.sql` returns it.
struct InspectedEvent: Decodable {
    let kind: String
    let correctedAt: String?
    let skewMilliseconds: Int?
    let namesPastLimit: [String]?
    let textLength: Int?
    let textKept: Bool?
    let userText: String?
    let counted: Bool
    let verified: Bool
    let receiptIssuedAt: String?
    let notificationId: String?

    init(json: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(json.utf8))
    }

    /// Sentences that say what was corrected or left out, and what is still to come.
    var notes: [String] {
        [
            counted ? nil : "Stored, and not counted yet.", correction, pastLimit, text,
            verified || receiptIssuedAt == nil
                ? nil : "Its receipt is valid, and not bound to a device, so it is not verified.",
            notificationId == nil ? "It is about the device alone, and belongs to no delivery." : nil,
        ].compactMap(\.self)
    }

    private var correction: String? {
        guard correctedAt != nil, let skewMilliseconds else { return nil }
        let seconds = abs(skewMilliseconds) / 1_000
        return
            "The device's clock was \(seconds) s \(skewMilliseconds > 0 ? "slow" : "fast"), so its time was corrected."
    }

    private var pastLimit: String? {
        guard let namesPastLimit, !namesPastLimit.isEmpty else { return nil }
        let names = namesPastLimit.map { $0.replacing("_", with: " ") }.joined(separator: ", ")
        return "The app has too many names that are not declared, so this event's is left out: \(names)."
    }

    private var text: String? {
        guard let textKept, let textLength else { return nil }
        if !textKept { return "Its text of \(textLength) bytes is not kept, or not released yet." }
        return userText == nil ? "Its text of \(textLength) bytes is kept; include_text=true shows it." : nil
    }
}
