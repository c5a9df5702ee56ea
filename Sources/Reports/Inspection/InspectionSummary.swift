import Foundation

/// The sentences at the top of an inspection: what was found, or why nothing may have been.
struct InspectionSummary {
    /// What `inspect_status.sql` returns.
    private struct Status: Decodable {
        let lastStoredAt: String?
        let waitingEvents: Int
        let spooledEvents: Int
        let rejectedLastDay: [String: Int]
    }

    let found: [String]
    let deliveries: Int
    let rejected: Int
    let incomplete: [String]
    /// The status of the app as JSON, or `nil` if it is not known.
    let status: String?

    var sentences: [String] {
        var sentences: [String] = []
        if deliveries > 0 {
            sentences.append(
                "This is the id of a \(found.joined(separator: ", and of a ")).".replacing("a event", with: "an event"))
        } else if rejected > 0 {
            sentences.append("No stored event has this id, but rejected events do.")
        } else {
            sentences.append("Nothing that is stored has this id.")
        }
        if rejected > 0 {
            sentences.append(
                "\(rejected) rejected \(rejected == 1 ? "event says" : "events say") it: see the code and the reason.")
        }
        if !incomplete.isEmpty {
            sentences.append("Not all was searched in time: \(incomplete.joined(separator: ", ")).")
        }
        return sentences + (deliveries == 0 ? hints : [])
    }

    /// What may explain that nothing was found.
    private var hints: [String] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let status, let status = try? decoder.decode(Status.self, from: Data(status.utf8)) else { return [] }
        var hints: [String] = []
        if let time = status.lastStoredAt {
            hints.append("The last event of this app was stored at \(time.prefix(19))Z.")
        } else {
            hints.append("No event of this app was ever stored: check the address and the key that the app posts with.")
        }
        if status.spooledEvents > 0 {
            hints.append(
                "\(status.spooledEvents) events wait in a spool until they can be stored; they can't be searched.")
        }
        let refused = status.rejectedLastDay.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !refused.isEmpty {
            let codes = refused.prefix(4).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            hints.append("Rejected in the last 24 hours: \(codes).")
        }
        return hints
    }
}
