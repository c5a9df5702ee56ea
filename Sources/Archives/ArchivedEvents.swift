import Storage

/// Counts the events in the text of an archive, which is an export as NDJSON.
///
/// Only the ids are read: the checksum of gzip vouches for everything else.
struct ArchivedEvents {
    /// Whether a line is not a row of an export.
    private(set) var isMalformed = false
    private(set) var count = EventCount()
    /// The start of the line that is being read.
    private var start: [UInt8] = []
    private var isInLine = false

    /// The longest start of a line up to its event's id: `{"batch_id":`, 20 digits, and two ids with their names.
    private static let startSize = 140

    /// Reads the next bytes of the text.
    mutating func read(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    addLine()
                } else {
                    isInLine = true
                    if start.count < Self.startSize { start.append(byte) }
                }
            }
        }
    }

    /// Whether the text ends with a complete line.
    var isComplete: Bool { !isInLine && !isMalformed }

    private mutating func addLine() {
        if let id = eventID { count.add(id.high, id.low) } else { isMalformed = true }
        start.removeAll(keepingCapacity: true)
        isInLine = false
    }

    /// The two halves of the event's id in the line's start.
    private var eventID: (high: UInt64, low: UInt64)? {
        var rest = start[...]
        for name in Self.names {
            guard rest.starts(with: name) else { return nil }
            rest = rest.dropFirst(name.count)
            if name == Self.names.last { break }
            guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else { return nil }
            rest = rest[comma...]
        }
        var halves: [UInt64] = [0, 0]
        var digits = 0
        for byte in rest.prefix(36) where byte != UInt8(ascii: "-") {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, digits < 32 else { return nil }
            halves[digits / 16] = halves[digits / 16] << 4 | UInt64(digit)
            digits += 1
        }
        return digits == 32 ? (halves[0], halves[1]) : nil
    }

    /// What each line begins with, between the values.
    private static let names = ["{\"batch_id\":", ",\"delivery_id\":", ",\"event_id\":\""].map { Array($0.utf8) }
}
