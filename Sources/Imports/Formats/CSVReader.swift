import Dialects
import Events

/// Reads CSV as in RFC 4180, with commas, semicolons or tabs between cells.
struct CSVReader: BufferedReader {
    /// The length in bytes beyond which a record must have an unbalanced quote.
    private static let recordLimit = 256 * 1024

    static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

    private let raw: Bool
    private let dialect: (any RecordDialect.Type)?
    private var header: CSVHeader?
    private var record = CSVRecord()
    var text: [UInt8] = []
    var position = 0
    var hasEnded = false
    private var line = 1

    init(raw: Bool = false, of dialect: (any RecordDialect.Type)? = nil) {
        self.raw = raw
        self.dialect = dialect
    }

    mutating func next(_ source: ByteSource) throws(ImportError) -> ImportChunk? {
        var chunk = ImportChunk()
        if header == nil { try readHeader(source) }
        guard let header else { return nil }
        while !chunk.isFull, try fill(source) {
            let start = line
            guard try readRecord(source, header.delimiter) else {
                chunk.refusals.append(
                    ImportRejection(line: start, code: .textInvalid, detail: "a quoted cell does not end"))
                continue
            }
            take(header, line: start, into: &chunk)
        }
        return chunk.isEmpty ? nil : chunk
    }

    private func take(_ header: CSVHeader, line: Int, into chunk: inout ImportChunk) {
        if record.isBlank || header.isRepeated(by: record) { return }
        if record.isBroken {
            let refusal = ImportRejection(
                line: line, code: .textInvalid, detail: "there is text after the closing quote of a cell")
            chunk.refusals.append(refusal)
        } else if let event = header.event(record) {
            chunk.append(event, line: line)
        } else {
            let refusal = ImportRejection(
                line: line, code: .fieldInvalid, detail: "the row and the header have different numbers of cells")
            chunk.refusals.append(refusal)
        }
    }

    /// Reads the header and detects the separator, the one with which the columns are those that are needed.
    private mutating func readHeader(_ source: ByteSource) throws(ImportError) {
        guard try fill(source) else { return }
        var failure: ImportError?
        for delimiter in Self.delimiters {
            let (before, beforeLine) = (position, line)
            guard try readRecord(source, delimiter) else { throw .header("does not end") }
            do throws(ImportError) {
                header = try CSVHeader(record, delimiter: delimiter, raw: raw, of: dialect)
                return
            } catch {
                // With a wrong separator no column has the name that is needed.
                if failure == nil || error != CSVHeader.lack(of: dialect) { failure = error }
                (position, line) = (before, beforeLine)
            }
        }
        if let failure { throw failure }
    }

    /// Reads the record at `position`; if it does not end, skips its first line and returns false.
    private mutating func readRecord(_ source: ByteSource, _ delimiter: UInt8) throws(ImportError) -> Bool {
        while true {
            if let end = record.read(text, from: position, delimiter: delimiter, isEnd: hasEnded) {
                position = end
                line += record.lines
                return true
            }
            if hasEnded || text.count - position > Self.recordLimit {
                let end = text[position...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count - 1
                position = end + 1
                line += 1
                return false
            }
            try readMore(source)
        }
    }

    /// Reads on until there are unprocessed bytes.
    ///
    /// - Returns: Whether there are any; false at the end of the file.
    private mutating func fill(_ source: ByteSource) throws(ImportError) -> Bool {
        while position >= text.count, !hasEnded { try readMore(source) }
        return position < text.count
    }
}
