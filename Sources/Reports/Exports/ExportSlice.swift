/// Some rows as COPY sends them, in pieces of whole rows.
struct ExportSlice: Sendable {
    private(set) var pieces: [[UInt8]] = []
    private(set) var bytes = 0
    private(set) var rows = 0

    mutating func append(_ piece: [UInt8]) {
        rows += piece.reduce(0) { $0 &+ ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        bytes += piece.count
        pieces.append(piece)
    }

    /// The place of the last row; nil if there is none.
    func last(of kind: ExportKind) -> ExportCursor? {
        guard let piece = pieces.last else { return nil }
        let start = piece.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let cells = piece[start...].split(separator: UInt8(ascii: "\t"), maxSplits: kind.cursorColumns)
        let columns = kind.columns(text: false)
        // None of these cells is null or holds anything that COPY escapes; the last ends the row if it is alone.
        let words = zip(cells, columns).prefix(kind.cursorColumns).map { cell, column in
            let text = String(decoding: cell, as: UTF8.self).filter { $0 != "\n" }
            return column.kind == .time ? RowWriter.time(text) : text
        }
        return ExportCursor(row: words, of: kind)
    }
}
