import Events
import Executors
import Postgres

/// Rejected events of an app in which devices are looked for.
struct RejectedPage {
    /// The most events of a page.
    static let events: Int64 = 2_000
    /// The devices that are looked for in one event after the other. More are left to the database, which reads what is
    /// behind an event's encodings only once for all of them.
    private static let devices = 8

    private var events: [(id: Int64, event: String)] = []
    /// The last event of the page.
    private(set) var last: Int64?

    /// Adds an event; one without a text mentions nothing.
    mutating func add(_ id: Int64, _ event: String?) {
        last = id
        if let event { events.append((id, event)) }
    }

    /// Returns the events that can mention any of the devices, of which the database decides which do.
    func events(mentioning devices: [String]) async -> [Int64] {
        guard devices.count <= Self.devices else { return events.map(\.id) }
        let mentions = devices.map { DeviceMention(of: $0) }
        return await withTaskExecutorPreference(BusyExecutor.shared) {
            events.filter { event in mentions.contains { $0.isPossible(in: event.event) } }.map(\.id)
        }
    }
}
