import AfterpushWire
import Events
package import Ingest

/// Packs the events and rejections of a request into as few entries as the size limit permits.
struct SpoolEntryPacker {
    private let appID: Int32
    private let receivedAt: Timestamp
    private let limit: Int
    private var writer: BinaryWriter
    private var events = 0
    private(set) var packed: [PackedEntry] = []

    /// Creates a packer for the events of one request.
    ///
    /// - Parameter limit: The maximum size of an entry in bytes; an entry of a single event can be larger.
    init(appID: Int32, receivedAt: Timestamp, limit: Int) {
        self.appID = appID
        self.receivedAt = receivedAt
        self.limit = limit
        writer = Self.head(appID, receivedAt)
    }

    mutating func add(_ event: Event, text: ArraySlice<UInt8>) {
        var item = BinaryWriter()
        item.write(SpoolEntry.eventTag)
        event.write(to: &item)
        item.write(Array(text))
        add(item, events: 1)
    }

    mutating func add(_ rejection: Rejection) {
        var item = BinaryWriter()
        item.write(SpoolEntry.rejectionTag)
        rejection.write(to: &item)
        add(item, events: 0)
    }

    /// Completes the current entry and returns all entries.
    mutating func finish() -> [PackedEntry] {
        if writer.bytes.count > Self.head(appID, receivedAt).bytes.count {
            packed.append(PackedEntry(bytes: writer.bytes, events: events))
            writer = Self.head(appID, receivedAt)
            events = 0
        }
        return packed
    }

    private mutating func add(_ item: BinaryWriter, events count: Int) {
        if writer.bytes.count + item.bytes.count > limit { _ = finish() }
        writer.append(item)
        events += count
    }

    private static func head(_ appID: Int32, _ receivedAt: Timestamp) -> BinaryWriter {
        var writer = BinaryWriter()
        writer.write(SpoolEntry.version)
        writer.write(appID)
        writer.write(receivedAt)
        return writer
    }
}

/// A spool entry as bytes.
package struct PackedEntry: Sendable, Equatable {
    /// The format that `SpoolEntry` reads.
    package let bytes: [UInt8]
    /// The number of valid events in it.
    package let events: Int

    package init(bytes: [UInt8], events: Int) {
        self.bytes = bytes
        self.events = events
    }
}

extension EventGroup {
    /// Returns the entries needed to store the group later, in the order in which its requests arrived.
    ///
    /// An event that occurs twice in the group is included once, as in the answers.
    ///
    /// - Parameter limit: The maximum size of an entry in bytes; an entry of a single event can be larger.
    package func packed(limit: Int) -> [PackedEntry] {
        var packers = pending.map {
            SpoolEntryPacker(appID: $0.appID, receivedAt: $0.receivedAt, limit: limit)
        }
        for (event, origin) in zip(events, origins) {
            let request = pending[origin.submission]
            let position = request.validated.positions[origin.place]
            packers[origin.submission].add(event, text: request.submission.text(at: position))
        }
        for (submission, request) in pending.enumerated() {
            for rejection in request.validated.rejections { packers[submission].add(rejection) }
        }
        return packers.indices.flatMap { packers[$0].finish() }
    }
}
