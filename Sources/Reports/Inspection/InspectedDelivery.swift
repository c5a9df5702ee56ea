import Foundation
import JSON

/// How a delivery counts, as `inspect_deliveries.sql` returns it.
struct InspectedDelivery: Decodable {
    let outcome: String
    let closesAt: String
    let responseWindowSeconds: Int
    let conversionWindowSeconds: Int
    let convertedAt: String?
    let hasConvertedEvent: Bool
    let conversionCounts: Bool
    let goalActionsTaken: [String]
    let goalsDeclared: Bool
    let actionsNotOffered: [String]
    let campaignId: String?
    let campaignSource: Int
    let campaignDeclared: Bool
    let categoryVersion: Int?
    let categoryId: String?
    let countsAs: [String]
    let countsAsVerified: [String]
    let verified: Bool
    let sealed: Bool

    init(json: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(json.utf8))
    }

    /// Whether it counts as a conversion.
    var isConverted: Bool { outcome != "held_out" && (conversionCounts || !goalActionsTaken.isEmpty) }

    /// Sentences that say how it counts, and why.
    var explanation: [String] {
        if outcome == "held_out" { return ["It was held out on purpose: only the report lift counts it."] }
        return [outcomeSentence, conversionSentence, baseSentence, verifiedSentence].compactMap(\.self)
            + [campaignSentence, categorySentence, sealedSentence].compactMap(\.self)
    }

    private var outcomeSentence: String {
        switch outcome {
        case "responded": "It counts as responded."
        case "replaced":
            "A later notification replaced it before anyone responded, so it counts as replaced, and not as unanswered."
        case "failed":
            "The provider refused it, and nothing shows that it reached the device: it counts as failed, and neither as "
                + "pending nor as no_response."
        case "no_response":
            "It counts as no_response: its response window of \(Self.text(responseWindowSeconds)) ended at "
                + "\(Self.time(closesAt)) without a response."
        default:
            "It is open, and counts as pending: without a response it becomes no_response at \(Self.time(closesAt)), "
                + "when its response window of \(Self.text(responseWindowSeconds)) has passed."
        }
    }

    private var conversionSentence: String {
        let window = Self.text(conversionWindowSeconds)
        if conversionCounts, let convertedAt {
            return "It counts as converted: the converted event at \(Self.time(convertedAt)) is within its conversion "
                + "window of \(window)."
        }
        if !goalActionsTaken.isEmpty {
            let reason = goalsDeclared ? "is a goal" : "counts because no goal is declared"
            return "It counts as converted: the action \(goalActionsTaken.joined(separator: ", ")) \(reason)."
        }
        guard hasConvertedEvent else {
            return "It does not count as converted: there is neither a converted event nor a goal action."
        }
        guard let convertedAt else {
            return "It does not count as converted: its converted event is earlier than the delivery."
        }
        return "It does not count as converted: the converted event at \(Self.time(convertedAt)) is outside its "
            + "conversion window of \(window)."
    }

    private var baseSentence: String? {
        let bases = countsAs.filter { ["sent", "confirmed"].contains($0) }
        if bases.isEmpty {
            return "It is in no base, because no sent and no delivered event came: rates leave it out, counts don't."
        }
        return "It is in the base \(bases.joined(separator: " and in the base "))."
    }

    private var verifiedSentence: String {
        if !verified {
            return "No event of it is verified, so reports with verified=true leave it out."
        }
        return countsAsVerified == countsAs
            ? "Reports with verified=true count it alike."
            : "Reports with verified=true count it only as \(countsAsVerified.joined(separator: ", "))."
    }

    private var campaignSentence: String? {
        guard let campaignId else { return "No event states its campaign." }
        return campaignDeclared ? nil : "Its campaign \(campaignId) is not declared, so the usual windows apply."
    }

    private var categorySentence: String? {
        guard let categoryId else { return nil }
        guard let categoryVersion else { return "Its category \(categoryId) is not declared, or not in this version." }
        if actionsNotOffered.isEmpty { return nil }
        return "Version \(categoryVersion) of its category \(categoryId) does not offer the action "
            + "\(actionsNotOffered.joined(separator: ", ")): the report actions shows it as not declared."
    }

    private var sealedSentence: String? {
        sealed ? "Its hour is sealed by retention, so later events change nothing any more." : nil
    }

    /// A time as PostgreSQL writes it, to the second.
    private static func time(_ text: String) -> String {
        text.prefix(19) + "Z"
    }

    private static func text(_ seconds: Int) -> String {
        if seconds % 3_600 == 0 { return "\(seconds / 3_600) h" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }
}
