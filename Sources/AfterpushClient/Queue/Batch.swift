/// Events to be sent together, and what to acknowledge when they are stored.
struct Batch: Sendable {
    /// How much of a segment it takes: everything up to an offset.
    struct Mark: Sendable, Equatable {
        let segment: String
        let offset: Int
    }

    /// The events' JSON.
    private(set) var events: [[UInt8]] = []
    private(set) var marks: [Mark] = []
    /// Passed over because they are too old.
    private(set) var expired = 0
    /// Passed over because they can't be read.
    private(set) var damaged = 0
    private var bytes = 0

    var isEmpty: Bool { events.isEmpty }

    /// Takes what it has room for.
    ///
    /// - Parameters:
    ///   - start: of the scanned piece, in its segment.
    ///   - oldest: moment in milliseconds since 1970; what happened before is passed over.
    mutating func take(_ scan: SegmentScan, of segment: String, from start: Int, limits: BatchLimits, oldest: Int64) {
        var end: Int?
        for record in scan.records {
            guard hasRoom(for: record.json.count, limits) else { break }
            if record.followsDamage { damaged += 1 }
            if record.milliseconds < oldest {
                expired += 1
            } else {
                events.append(Array(scan.bytes[record.json]))
                bytes += record.json.count + 1
            }
            end = record.json.upperBound
        }
        if let end { marks.append(Mark(segment: segment, offset: start + end)) }
    }

    /// Takes one event, if there is room for it.
    ///
    /// - Parameter end: where its segment's next event begins.
    mutating func take(_ event: [UInt8], upTo end: Mark, _ limits: BatchLimits) -> Bool {
        guard hasRoom(for: event.count, limits) else { return false }
        events.append(event)
        bytes += event.count + 1
        marks = [end]
        return true
    }

    /// Whether another event fits; one always does.
    func hasRoom(for length: Int = 0, _ limits: BatchLimits) -> Bool {
        events.isEmpty || events.count < limits.events && bytes + length <= limits.bytes
    }
}
