/// Reads JSON: events, arrays of events and requests, of any length, one after another.
///
/// It only finds where each event begins and ends. The content is checked later, so an error inside an event rejects
/// that event alone.
struct JSONReader: RecordReader {
    private enum Place {
        /// The reader is between the values of the file.
        case top
        /// The reader is between the events of an array.
        case array
        /// The reader is in an event with this many open brackets.
        case event(depth: Int)
        /// The reader is in a value that takes the place of an event but is not an object.
        case word
        /// The reader is in a request, after its events.
        case rest(depth: Int)
    }

    private var place = Place.top
    /// Whether the current array is the events of a request.
    private var isRequest = false
    private var isInArray = false
    private var isInString = false
    private var isEscaped = false
    private var line = 1
    private var record: [UInt8] = []
    private var recordLine = 1
    private var isTooLong = false
    private var key = RequestKey()
    private(set) var metRequest = false
    private var block: [UInt8] = []
    /// The number of bytes of `block` that are processed.
    private var position = 0
    private var hasEnded = false

    var isInside: Bool {
        if case .top = place { return false }
        return true
    }

    mutating func next(_ source: ByteSource) throws(ImportError) -> ImportChunk? {
        var chunk = ImportChunk()
        while !hasEnded, !chunk.isFull {
            if position == block.count {
                (block, position) = (try source.read(), 0)
                hasEnded = block.isEmpty
            }
            do throws(ImportError) {
                while position < block.count, !chunk.isFull {
                    position += 1
                    try take(block[position - 1], into: &chunk)
                }
            } catch {
                hasEnded = true
                guard chunk.isEmpty else { return remember(error, chunk) }
                throw error
            }
        }
        if !chunk.isEmpty { return chunk }
        if let failure {
            self.failure = nil
            throw failure
        }
        if isInside {
            place = .top
            throw .malformed(what: "the file ends inside an array or object", line: line)
        }
        return nil
    }

    private var failure: ImportError?

    private mutating func remember(_ error: ImportError, _ chunk: ImportChunk) -> ImportChunk {
        failure = error
        place = .top
        return chunk
    }

    /// Processes the next bytes of a text and adds all complete events to a chunk.
    mutating func take(_ bytes: [UInt8], into chunk: inout ImportChunk) throws(ImportError) {
        for byte in bytes { try take(byte, into: &chunk) }
    }

    private mutating func take(_ byte: UInt8, into chunk: inout ImportChunk) throws(ImportError) {
        if byte == UInt8(ascii: "\n") { line += 1 }
        switch place {
        case .top: try takeTop(byte)
        case .array: takeElement(byte)
        case .event(let depth): takeEvent(byte, depth, &chunk)
        case .word: takeWord(byte, &chunk)
        case .rest(let depth): takeRest(byte, depth)
        }
    }

    private mutating func takeTop(_ byte: UInt8) throws(ImportError) {
        switch byte {
        case UInt8(ascii: "{"):
            isInArray = false
            key = RequestKey()
            begin(byte, .event(depth: 1))
        case UInt8(ascii: "["):
            (isInArray, isRequest) = (true, false)
            place = .array
        case _ where byte.isSpace: break
        default: throw .malformed(what: "expected an object or array", line: line)
        }
    }

    private mutating func takeElement(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): begin(byte, .event(depth: 1))
        case UInt8(ascii: "]"): place = isRequest ? .rest(depth: 1) : .top
        case UInt8(ascii: ","): break
        case _ where byte.isSpace: break
        default:
            begin(byte, .word)
            isInString = byte == UInt8(ascii: "\"")
        }
    }

    private mutating func begin(_ byte: UInt8, _ place: Place) {
        self.place = place
        record.removeAll(keepingCapacity: true)
        record.append(byte)
        recordLine = line
        isTooLong = false
    }

    private mutating func takeEvent(_ byte: UInt8, _ depth: Int, _ chunk: inout ImportChunk) {
        if !isInArray, depth == 1, key.take(byte, isInString: isInString, isEscaped: isEscaped) {
            (isInArray, isRequest, metRequest) = (true, true, true)
            place = .array
            return
        }
        keep(byte)
        guard let change = bracket(byte) else { return }
        place = .event(depth: depth + change)
        if depth + change == 0 { finish(&chunk) }
    }

    private mutating func takeWord(_ byte: UInt8, _ chunk: inout ImportChunk) {
        let ends = !isInString && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte.isSpace)
        guard ends else {
            keep(byte)
            _ = bracket(byte)
            return
        }
        finish(&chunk)
        takeElement(byte)
    }

    private mutating func takeRest(_ byte: UInt8, _ depth: Int) {
        guard let change = bracket(byte) else { return }
        place = depth + change == 0 ? .top : .rest(depth: depth + change)
    }

    /// Returns by how much a byte changes the number of open brackets, or `nil` if it doesn't.
    private mutating func bracket(_ byte: UInt8) -> Int? {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return nil
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["): return 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): return -1
        default: return nil
        }
    }

    private mutating func keep(_ byte: UInt8) {
        guard record.count < ImportChunk.recordLimit else {
            isTooLong = true
            return
        }
        // An event becomes one line. A line feed in a string is invalid JSON and must stay invalid.
        record.append(byte == UInt8(ascii: "\n") ? isInString ? 0x1F : UInt8(ascii: " ") : byte)
    }

    private mutating func finish(_ chunk: inout ImportChunk) {
        place = isInArray ? .array : .top
        if isTooLong {
            chunk.refusals.append(.tooLong(line: recordLine))
        } else {
            chunk.append(record, line: recordLine)
        }
    }
}

/// Detects `"events": [` among an object's members, which makes the object a request.
private struct RequestKey {
    private static let name = Array("events".utf8)

    private var isKey = true
    private var text: [UInt8] = []
    private var isAwaited = false

    /// Processes the next byte of the object.
    ///
    /// - Returns: Whether the byte begins the events of a request.
    mutating func take(_ byte: UInt8, isInString: Bool, isEscaped: Bool) -> Bool {
        if isInString {
            if byte == UInt8(ascii: "\""), !isEscaped {
                isAwaited = isKey && text == Self.name
                isKey = false
            } else if isKey, text.count <= Self.name.count {
                text.append(byte)
            }
            return false
        }
        switch byte {
        case UInt8(ascii: ","):
            isKey = true
            text = []
            isAwaited = false
        case UInt8(ascii: "["): return isAwaited
        case UInt8(ascii: ":"): break
        case _ where byte.isSpace: break
        default: isAwaited = false
        }
        return false
    }
}

extension UInt8 {
    /// Whether the byte is white space in JSON.
    var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
