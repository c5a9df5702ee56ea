import Events
import Executors
import Postgres

/// Rejected events of an app in which devices are looked for.
struct RejectedPage {
    /// Events that the database looks at with one statement, which takes some tenths of a second at most.
    struct Part: Sendable, Equatable {
        /// The events that can mention any of the devices, of which the database decides which do.
        var ids: [Int64]
        /// The event up to which the page has been searched after this part.
        var last: Int64
    }

    /// The most events of a page.
    static let events: Int64 = 2_000
    /// The most bytes of the events of a part, unless it has a single one. A made-up event of 32 KB can cost the database
    /// a tenth of a second.
    static let partBytes = 64 << 10

    private var events: [(id: Int64, event: String)] = []
    /// The last event of the page.
    private(set) var last: Int64?

    /// Adds an event; one without a text mentions nothing.
    mutating func add(_ id: Int64, _ event: String?) {
        last = id
        if let event { events.append((id, event)) }
    }

    /// Divides the events that can mention any of the devices, in order. The last part ends with the page, also if it has
    /// none of them; only a page without events has no part.
    func parts(mentioning devices: [String]) async -> [Part] {
        guard let last else { return [] }
        var parts: [Part] = []
        var bytes = 0
        for (id, event) in await candidates(for: devices) {
            bytes += event.utf8.count
            if parts.isEmpty || bytes > Self.partBytes {
                parts.append(Part(ids: [id], last: id))
                bytes = event.utf8.count
            } else {
                parts[parts.count - 1].ids.append(id)
                parts[parts.count - 1].last = id
            }
        }
        if parts.isEmpty { return [Part(ids: [], last: last)] }
        parts[parts.count - 1].last = last
        return parts
    }

    /// The events that can mention any of the devices.
    private func candidates(for devices: [String]) async -> [(id: Int64, event: String)] {
        let mentions = DeviceMentions(of: devices)
        return await withTaskExecutorPreference(BusyExecutor.shared) {
            events.filter { mentions.isPossible(in: $0.event) }
        }
    }
}
