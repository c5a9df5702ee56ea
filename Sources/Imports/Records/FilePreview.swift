import Dialects
import JSON

/// Finds out what the records of a file are from its beginning.
enum FilePreview {
    /// The number of records that are looked at.
    private static let limit = 1_000

    /// Returns the dialect of a file, or `nil` if its records are native events, or can't be recognized.
    static func dialect(of bytes: [UInt8], _ format: FileFormat) -> (any RecordDialect.Type)? {
        switch format {
        case .csv:
            for delimiter in CSVReader.delimiters {
                var record = CSVRecord()
                guard record.read(bytes, from: 0, delimiter: delimiter, isEnd: true) != nil else { continue }
                if let dialect = RecordDialects.find(columns: CSVHeader.columns(record)) { return dialect }
            }
            return nil
        case .ndjson:
            // Line by line, so that a broken line doesn't hide the next ones.
            let lines = bytes.split(separator: UInt8(ascii: "\n")).prefix(limit)
            return RecordDialects.find(lines.flatMap { records(Array($0)) })
        case .json: return RecordDialects.find(Array(records(bytes).prefix(limit)))
        }
    }

    /// The complete objects of a text.
    private static func records(_ bytes: [UInt8]) -> [JSONObject] {
        var reader = JSONReader()
        var chunk = ImportChunk()
        // What comes before an error is still of use.
        try? reader.take(bytes, into: &chunk)
        return chunk.text.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONElement(Array($0)).object }
    }
}
