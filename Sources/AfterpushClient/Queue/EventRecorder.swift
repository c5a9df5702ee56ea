import AfterpushWire
import Foundation

/// Turns device events into the JSON that is sent, and appends it to the queue.
final class EventRecorder: Sendable {
    private let configuration: AfterpushConfiguration
    private let queue: any EventQueue
    private let installationID: InstallationID
    private let categories: CategoryCache

    init(
        _ configuration: AfterpushConfiguration, _ queue: any EventQueue, _ location: QueueLocation,
        _ categories: CategoryCache
    ) {
        self.configuration = configuration
        self.queue = queue
        self.categories = categories
        installationID = InstallationID(location: location)
    }

    /// Records an event. Returns false if the person has opted out.
    func record(_ event: DeviceEvent, id: UUID, at time: Timestamp) throws(RecordError) -> Bool {
        guard !queue.isOptedOut else { return false }
        let deviceID = try deviceID()
        let details = configuration.details()
        var event = event
        if let notification = event.notification, let category = notification.categoryID {
            // The version that this device offered counts, whatever was declared since.
            event.notification?.categoryVersion = notification.categoryVersion ?? categories.version(of: category)
        }
        return try queue.append(at: time) { [event] drops throws(RecordError) in
            try Self.json(
                event.ingestEvent(id: id, at: time, deviceID: deviceID, details: details, drops: drops))
        }
    }

    private func deviceID() throws(RecordError) -> String {
        if let id = configuration.deviceID { return id }
        // Not kept in memory: opting out, in any process, deletes it.
        return try installationID.value()
    }

    static func json(_ event: IngestEvent) throws(RecordError) -> [UInt8] {
        // JSONEncoder writes the word NaN for such a Decimal, which would make the whole request unreadable.
        if event.value?.isNaN == true { throw RecordError.notEncodable }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            return Array(try encoder.encode(event))
        } catch {
            throw RecordError.notEncodable
        }
    }
}
