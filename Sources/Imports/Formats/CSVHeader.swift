import Dialects
import JSON
import Reports

/// The columns of a CSV file; turns its rows into events.
struct CSVHeader {
    private enum Kind {
        case text, number, boolean, json
    }

    private struct Column {
        let name: [UInt8]
        let kind: Kind
        /// The member's key with quotes and colon: `"name":`.
        let key: [UInt8]
    }

    let delimiter: UInt8
    private let columns: [Column]
    private let raw: Bool

    /// Reads the header, which needs distinct names and a column `event_id`, or those of its dialect.
    ///
    /// - Parameters:
    ///   - record: The first record of the file.
    ///   - raw: Whether cells are taken as they are. Otherwise the `'` that an export puts before a possible formula is
    ///     removed.
    ///   - dialect: The dialect of the rows, or `nil` if they are native events.
    init(
        _ record: CSVRecord, delimiter: UInt8, raw: Bool, of dialect: (any RecordDialect.Type)? = nil
    ) throws(ImportError) {
        self.delimiter = delimiter
        self.raw = raw || dialect != nil
        var columns: [Column] = []
        var names: Set<[UInt8]> = []
        for place in 0..<record.count {
            let name = Self.name(record, place)
            guard names.insert(name).inserted else {
                throw .header("names the column \(String(decoding: name.prefix(64), as: UTF8.self)) twice")
            }
            var key = [UInt8(ascii: "\"")]
            JSONText.appendEscaped(name, to: &key)
            key.append(contentsOf: "\":".utf8)
            columns.append(Column(name: name, kind: dialect == nil ? Self.kind(of: name) : .text, key: key))
        }
        let isComplete = dialect?.claims(columns: Self.columns(record)) ?? names.contains(Array("event_id".utf8))
        guard isComplete else { throw Self.lack(of: dialect) }
        self.columns = columns
    }

    /// The error of a header without the columns that are needed.
    static func lack(of dialect: (any RecordDialect.Type)?) -> ImportError {
        .header(dialect.map { "doesn't have the columns of \($0.family.rawValue)" } ?? "has no column event_id")
    }

    /// The names of the columns.
    static func columns(_ record: CSVRecord) -> Set<String> {
        Set((0..<record.count).map { String(lenient: name(record, $0)) })
    }

    private static func name(_ record: CSVRecord, _ place: Int) -> [UInt8] {
        var name = Array(record.cell(place).drop { $0.isSpace })
        while name.last?.isSpace == true { name.removeLast() }
        return name.isEmpty ? Array("column_\(place + 1)".utf8) : name
    }

    private static func kind(of name: [UInt8]) -> Kind {
        switch String(lenient: name) {
        case "category_version", "utc_offset_minutes", "value", "batch_id", "skew_milliseconds", "text_length": .number
        case "verified": .boolean
        case "properties": .json
        default: .text
        }
    }

    /// Whether a record repeats the header, as in concatenated files.
    func isRepeated(by record: CSVRecord) -> Bool {
        record.count == columns.count && columns.indices.allSatisfy { record.cell($0).elementsEqual(columns[$0].name) }
    }

    /// Returns the event of a record as JSON, or `nil` if its number of cells differs from the header's.
    func event(_ record: CSVRecord) -> [UInt8]? {
        guard record.count == columns.count else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(record.bytes.count + 24 * columns.count)
        text.append(UInt8(ascii: "{"))
        for (place, column) in columns.enumerated() {
            let cell = record.cell(place)
            if cell.isEmpty { continue }
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: column.key)
            append(cell, column.kind, to: &text)
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private func append(_ cell: ArraySlice<UInt8>, _ kind: Kind, to text: inout [UInt8]) {
        switch kind {
        case .number where jsonType(of: cell) == .number: text.append(contentsOf: cell)
        case .boolean where cell.elementsEqual("true".utf8) || cell.elementsEqual("t".utf8):
            text.append(contentsOf: "true".utf8)
        case .boolean where cell.elementsEqual("false".utf8) || cell.elementsEqual("f".utf8):
            text.append(contentsOf: "false".utf8)
        case .json where jsonType(of: cell) == .object:
            text.append(contentsOf: cell.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
        default:
            text.append(UInt8(ascii: "\""))
            JSONText.appendEscaped(stored(cell), to: &text)
            text.append(UInt8(ascii: "\""))
        }
    }

    /// Returns the type of a cell that is exactly one JSON value, or `nil` if it isn't.
    ///
    /// Other faults inside an object are found when the event is decoded. A control character is not left to the decoder,
    /// because a line feed becomes a space here.
    private func jsonType(of cell: ArraySlice<UInt8>) -> JSONType? {
        var scanner = JSONScanner(Array(cell), maximumDepth: .max)
        guard let value = try? scanner.scanValue(depth: 0), scanner.position == scanner.end,
            scanner.takeFault()?.kind != .controlCharacter
        else { return nil }
        return value.type
    }

    /// Returns a cell's text without the `'` that an export added.
    private func stored(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !raw, cell.first == UInt8(ascii: "'") else { return cell }
        let rest = cell.dropFirst()
        return CSVText.couldBeFormula(String(decoding: rest, as: UTF8.self)) ? rest : cell
    }
}
