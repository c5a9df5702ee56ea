import JSON

/// What is stored about an id, and what became of it.
package struct Inspection: Sendable {
    /// The inspection as a JSON object.
    package let json: String

    /// Creates the inspection of a device that was erased: nothing about it may be shown.
    static func erased(_ id: String) -> Inspection {
        Inspection(
            id, meanings: ["device"], erased: true,
            summary: [
                "This device was erased. Nothing is kept about it, and events that name it are rejected with the code "
                    + "device_suppressed."
            ])
    }

    /// Creates an inspection.
    ///
    /// - Parameters:
    ///   - meanings: what the id is: notification, device, event or delivery.
    ///   - summary: sentences that say what was found, or why nothing may have been.
    ///   - deliveries: JSON objects with their events.
    ///   - hasMore: whether there are more deliveries than are listed.
    ///   - rejected: JSON objects of rejected events that say the id.
    ///   - incomplete: the searches that took too long.
    ///   - status: a JSON object about all events of the app.
    init(
        _ id: String, meanings: [String], erased: Bool = false, summary: [String], deliveries: [String] = [],
        hasMore: Bool = false, rejected: [String] = [], incomplete: [String] = [], status: String? = nil
    ) {
        json = JSONText.object([
            ("id", JSONText.string(id)), ("found", JSONText.array(meanings.map(JSONText.string))),
            ("erased", String(erased)), ("summary", JSONText.array(summary.map(JSONText.string))),
            ("deliveries", JSONText.array(deliveries)), ("more_deliveries", String(hasMore)),
            ("rejected_events", JSONText.array(rejected)),
            ("incomplete", JSONText.array(incomplete.map(JSONText.string))), ("status", status ?? "null"),
        ])
    }
}
