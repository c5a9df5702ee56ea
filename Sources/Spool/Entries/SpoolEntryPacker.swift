import AfterpushWire
import Events

/// Packs the events and refusals of one request into entries that are no longer than they have to be.
struct SpoolEntryPacker {
    private let appID: Int32
    private let receivedAt: Timestamp
    private let limit: Int
    private var writer: BinaryWriter
    private var events = 0
    private(set) var packed: [PackedEntry] = []

    /// - Parameter limit: bytes of an entry, unless one event alone has more.
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

    /// Ends the entry under way.
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
