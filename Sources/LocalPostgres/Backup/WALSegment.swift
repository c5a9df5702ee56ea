/// A file of PostgreSQL's write-ahead log, of 16 MiB, by its timeline and number.
struct WALSegment: Hashable, Comparable, Sendable {
    let timeline: UInt32
    let number: UInt64

    /// The number of files that share the middle part of their names.
    private static let perLog: UInt64 = 256

    init(timeline: UInt32, number: UInt64) {
        self.timeline = timeline
        self.number = number
    }

    /// Reads the name of a whole segment, such as `000000010000000000000003`; returns nil for other names.
    init?(name: some StringProtocol) {
        let digits = Array(name.utf8)
        guard digits.count == 24, let timeline = UInt32(name.prefix(8), radix: 16),
            let log = UInt64(name.dropFirst(8).prefix(8), radix: 16), let rest = UInt64(name.suffix(8), radix: 16),
            rest < Self.perLog
        else { return nil }
        self.init(timeline: timeline, number: log * Self.perLog + rest)
    }

    /// Reads a position such as `0/3000060`, and returns the segment that contains it.
    init?(position: some StringProtocol, timeline: UInt32) {
        let parts = position.split(separator: "/")
        guard parts.count == 2, let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16) else {
            return nil
        }
        self.init(timeline: timeline, number: high * Self.perLog + low >> 24)
    }

    var name: String {
        func hex(_ number: UInt64) -> String {
            let digits = String(number, radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        }
        return hex(UInt64(self.timeline)) + hex(self.number / Self.perLog) + hex(self.number % Self.perLog)
    }

    static func < (left: WALSegment, right: WALSegment) -> Bool {
        (left.timeline, left.number) < (right.timeline, right.number)
    }

    /// Returns the segments that are missing between `first` and the last of these, on the timeline of `first`.
    static func missing(from first: WALSegment, in segments: some Sequence<WALSegment>) -> [WALSegment] {
        let numbers = Set(segments.filter { $0.timeline == first.timeline && $0 >= first }.map(\.number))
        let last = numbers.max() ?? first.number
        return (first.number...last).filter { !numbers.contains($0) }
            .map { WALSegment(timeline: first.timeline, number: $0) }
    }
}
