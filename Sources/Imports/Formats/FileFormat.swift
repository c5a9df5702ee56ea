import Dialects

/// How a file is divided into records.
package enum FileFormat: String, Sendable, CaseIterable {
    /// A file with one event per line.
    case ndjson
    /// A file with any number of events, arrays of events and requests with their events.
    case json
    /// A file with a header and one event per row.
    case csv

    /// Guesses the format by the file's name, otherwise by its beginning.
    ///
    /// The name `.json` does not decide, because many of these files are NDJSON. But they are no CSV.
    static func guess(name: String, _ preview: [UInt8]) -> FileFormat {
        let name = name.lowercased()
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        if plain.hasSuffix(".csv") || plain.hasSuffix(".tsv") { return .csv }
        if plain.hasSuffix(".ndjson") || plain.hasSuffix(".jsonl") { return .ndjson }
        let format = guess(preview)
        return format == .csv && plain.hasSuffix(".json") ? .json : format
    }

    /// Guesses the format by the file's beginning.
    static func guess(_ preview: [UInt8]) -> FileFormat {
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        guard let first = preview.first(where: { !space.contains($0) }) else { return .ndjson }
        if first == UInt8(ascii: "[") { return .json }
        guard first == UInt8(ascii: "{") else { return .csv }
        return isObject(preview.drop { space.contains($0) }.prefix { $0 != UInt8(ascii: "\n") }) ? .ndjson : .json
    }

    /// Whether a line is exactly one object that is not a request.
    private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        var reader = JSONReader()
        var chunk = ImportChunk()
        guard (try? reader.take(Array(line), into: &chunk)) != nil else { return false }
        return !reader.isInside && !reader.metRequest && chunk.lines.count == 1
    }

    /// Returns a reader of a file's records.
    ///
    /// - Parameter dialect: The dialect of the records, or `nil` if they are native events.
    func reader(raw: Bool, of dialect: (any RecordDialect.Type)? = nil) -> any RecordReader {
        switch self {
        case .ndjson: LineReader()
        case .json: JSONReader()
        case .csv: CSVReader(raw: raw, of: dialect)
        }
    }
}

/// Finds the records of a file, chunk by chunk, in memory that does not grow with the file.
protocol RecordReader {
    /// The next records; nil at the end of the file.
    mutating func next(_ source: ByteSource) throws(ImportError) -> ImportChunk?
}

/// A reader that keeps the bytes that it has read and not processed yet.
protocol BufferedReader: RecordReader {
    /// The bytes read so far; those before `position` are processed.
    var text: [UInt8] { get set }
    var position: Int { get set }
    /// Whether the end of the file was read.
    var hasEnded: Bool { get set }
}

extension BufferedReader {
    /// Reads the next bytes of the file, and drops those that are processed.
    mutating func readMore(_ source: ByteSource) throws(ImportError) {
        text.removeSubrange(..<position)
        position = 0
        let block = try source.read()
        hasEnded = block.isEmpty
        text.append(contentsOf: block)
        if source.damage != nil { text.removeTornLine() }
    }
}

extension [UInt8] {
    /// Leaves out what follows the last line end.
    mutating func removeTornLine() {
        let end = lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
        removeSubrange(end...)
    }
}
