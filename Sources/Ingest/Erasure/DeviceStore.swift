package import AfterpushWire

/// Exports and erases everything that is stored about a device.
package protocol DeviceStore: Sendable {
    /// Suppresses the device and requests the erasure of its data. Returns once the request is durable.
    func erase(_ device: String, appID: Int32) async throws -> ErasureJob
    /// Returns the progress of a device's erasure, or `nil` if none was requested.
    func erasure(_ device: String, appID: Int32) async throws -> ErasureJob?
    /// Returns everything that is known about the device as one JSON object.
    func export(_ device: String, appID: Int32) async throws -> any DeviceExport
}

/// A device's data as one JSON object, in pieces.
package protocol DeviceExport: Sendable {
    /// Returns the next piece of the JSON text, or `nil` at its end.
    func next() async throws -> String?
}

/// The progress of a device's erasure.
package struct ErasureJob: Sendable, Equatable {
    package let requestedAt: Timestamp
    /// The time at which it finished, or `nil` while it is running.
    package let finishedAt: Timestamp?
    /// The number of deleted events.
    package let events: Int64
    /// The number of deleted reply texts.
    package let replies: Int64
    /// The number of anonymized deliveries.
    package let deliveries: Int64
    /// The number of deleted rejections.
    package let rejected: Int64
    /// The number of names that contain the device's id: of campaigns, variants, categories, actions and app versions; with
    /// alert rules, mappings and links.
    package let names: Int64
    /// Whether there are rejected events in which the id was not looked for within longer texts: after a restore, only its
    /// hash was known.
    package let leavesUnsearched: Bool

    package init(
        requestedAt: Timestamp, finishedAt: Timestamp?, events: Int64, replies: Int64, deliveries: Int64,
        rejected: Int64, names: Int64, leavesUnsearched: Bool
    ) {
        self.requestedAt = requestedAt
        self.finishedAt = finishedAt
        self.events = events
        self.replies = replies
        self.deliveries = deliveries
        self.rejected = rejected
        self.names = names
        self.leavesUnsearched = leavesUnsearched
    }

    package var isDone: Bool { finishedAt != nil }

    /// The places that the erasure does not reach, and until when they can have data of the device.
    package var notReached: [(place: String, until: String)] {
        var places: [(place: String, until: String)] = [
            (
                place: "backups",
                until: "you delete them; after a restore, the device is erased again, but rejected events and names "
                    + "that contain its id only inside a longer text can stay"
            ),
            (place: "replicas", until: "they have replayed the erasure"),
            (place: "spools_of_stopped_collectors", until: "a collector uses their directory again"),
            (place: "damaged_spool_entries", until: "at most 30 days after the damage"),
            (place: "events_of_other_devices", until: "they are deleted; they can contain the id elsewhere"),
            (place: "files_of_exports_and_imports", until: "you delete them"),
        ]
        if leavesUnsearched {
            let until = "they are deleted or the erasure is requested again; they can have the id inside a longer text"
            places.append((place: "rejected_events_of_a_restored_backup", until: until))
        }
        if names > 0 {
            let kinds = "campaigns, variants, categories, actions, app versions, alert rules, mappings and links"
            places.append((place: "names", until: "you change them; \(kinds) that contain the id: \(names)"))
        }
        return places
    }
}
