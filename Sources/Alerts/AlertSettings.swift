package import Declarations
import Events
import JSON

/// Where an app's alerts go by default, and how often it gets a summary.
package struct AlertSettings: Sendable, Equatable {
    package enum Summary: String, Sendable {
        case daily, weekly
    }

    package var destinations: [AlertDestination] = []
    package var summary: Summary?

    package init() {}

    /// Reads the body of `PUT /v1/alerts`.
    package init(_ body: [UInt8]) throws(DeclarationError) {
        let entry = try DeclarationError.decode(Entry.self, from: body)
        destinations = try AlertDestination.list(entry.deliver ?? [], in: "alerts")
        if let text = entry.summary {
            guard let summary = Summary(rawValue: text) else {
                throw EntryFields(place: "alerts").error("summary", .fieldInvalid, "must be daily, weekly or null")
            }
            self.summary = summary
        }
    }

    package func members(isRedacted: Bool) -> [(key: String, json: String)] {
        [
            ("deliver", JSONText.array(destinations.map { $0.json(isRedacted: isRedacted) })),
            ("summary", summary.map { JSONText.string($0.rawValue) } ?? "null"),
        ]
    }

    private struct Entry: Decodable {
        let deliver: [AlertDestination.Entry]?
        let summary: String?
    }
}
