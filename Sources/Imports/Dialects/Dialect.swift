/// How a file holds its events.
package enum Dialect: String, Sendable, CaseIterable {
    /// One event a line.
    case ndjson
    /// One event, an array of events, a request with its events, or several of these.
    case json
    /// A header, and one event a row.
    case csv

    /// By the file's name, else by how it begins. A name `.json` says little: many of these files hold lines.
    static func guess(name: String, _ preview: [UInt8]) -> Dialect {
        let name = name.lowercased()
        let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
        if plain.hasSuffix(".csv") || plain.hasSuffix(".tsv") { return .csv }
        if plain.hasSuffix(".ndjson") || plain.hasSuffix(".jsonl") { return .ndjson }
        let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
        guard let first = preview.first(where: { !space.contains($0) }) else { return .ndjson }
        if first == UInt8(ascii: "[") { return .json }
        guard first == UInt8(ascii: "{") else { return .csv }
        return isObject(preview.drop { space.contains($0) }.prefix { $0 != UInt8(ascii: "\n") }) ? .ndjson : .json
    }

    /// Whether a line is one whole object that is no request.
    private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        var reader = JSONReader()
        var chunk = ImportChunk()
        guard (try? reader.take(Array(line), into: &chunk)) != nil else { return false }
        return !reader.isInside && !reader.metRequest && chunk.lines.count == 1
    }

    func reader(raw: Bool) -> any RecordReader {
        switch self {
        case .ndjson: LineReader()
        case .json: JSONReader()
        case .csv: CSVReader(raw: raw)
        }
    }
}
