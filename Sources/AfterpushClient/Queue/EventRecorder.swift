import AfterpushWire
import Foundation

/// Makes events into what is posted, and puts them into the queue.
final class EventRecorder: Sendable {
    private let configuration: AfterpushConfiguration
    private let queue: any EventQueue
    private let installation: Installation
    private let categories: CategoryCache

    init(
        _ configuration: AfterpushConfiguration, _ queue: any EventQueue, _ place: QueueLocation,
        _ categories: CategoryCache
    ) {
        self.configuration = configuration
        self.queue = queue
        self.categories = categories
        installation = Installation(place: place)
    }

    /// Whether the event was kept; not if the person opted out.
    func record(_ event: DeviceEvent, id: UUID, at time: Timestamp) throws(RecordError) -> Bool {
        guard !queue.isOptedOut else { return false }
        let deviceID = try deviceID()
        let details = configuration.details()
        var event = event
        if let notification = event.notification, let category = notification.categoryID {
            // What this device offered, whatever was declared since.
            event.notification?.categoryVersion = notification.categoryVersion ?? categories.version(of: category)
        }
        return try queue.append(at: time) { [event] drops throws(RecordError) in
            try Self.json(
                event.ingestEvent(id: id, at: time, deviceID: deviceID, details: details, drops: drops))
        }
    }

    static func json(_ event: IngestEvent) throws(RecordError) -> [UInt8] {
        // The encoder would write it down as a word that is no JSON, which spoils the request that it goes with.
        if event.value?.isNaN == true { throw RecordError.notEncodable }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            return Array(try encoder.encode(event))
        } catch {
            throw RecordError.notEncodable
        }
    }

    private func deviceID() throws(RecordError) -> String {
        if let id = configuration.deviceID { return id }
        // Not kept in memory: opting out, in any process, removes it.
        return try installation.id()
    }
}
