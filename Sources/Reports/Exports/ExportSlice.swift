/// Some rows as COPY sends them, in pieces of whole rows.
struct ExportSlice: Sendable {
    private(set) var pieces: [(bytes: [UInt8], rows: Int)] = []
    private(set) var bytes = 0
    private(set) var rows = 0

    mutating func append(_ piece: [UInt8]) {
        var count = 0
        piece.withUnsafeBufferPointer { for byte in $0 where byte == UInt8(ascii: "\n") { count &+= 1 } }
        rows += count
        bytes += piece.count
        pieces.append((piece, count))
    }

    /// The cursor of the last row; nil if there are no rows.
    func last(of kind: ExportKind) -> ExportCursor? {
        guard let piece = pieces.last?.bytes else { return nil }
        let start = piece.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let columns = Array(kind.columns(text: false).prefix(kind.cursorColumns))
        let row = piece[start...].split(separator: UInt8(ascii: "\t"), maxSplits: columns.count).prefix(columns.count)
        // None of these values is null or holds anything to escape.
        let cells =
            row.joined(separator: [UInt8(ascii: "\t")]).filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
        let written = RowWriter(.csv(raw: true), columns).written(Array(cells), count: 1)
        let words = String(decoding: written.dropLast(2), as: UTF8.self).split(separator: ",").map(String.init)
        return ExportCursor(row: words, of: kind)
    }
}
