import Synchronization

/// A number of consecutive rows as COPY sends them, in pieces of complete rows.
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

    /// Returns the cursor of the last row, or `nil` if there are no rows.
    func last(of kind: ExportKind) -> ExportCursor? {
        guard let piece = pieces.last?.bytes else { return nil }
        let start = piece.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let columns = Array(kind.columns(text: false).prefix(kind.cursorColumns))
        let row = piece[start...].split(separator: UInt8(ascii: "\t"), maxSplits: columns.count).prefix(columns.count)
        // None of these values is null or needs an escape.
        let cells =
            row.joined(separator: [UInt8(ascii: "\t")]).filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
        let written = RowWriter(.csv(raw: true), columns).written(Array(cells), count: 1)
        let words = String(decoding: written.dropLast(2), as: UTF8.self).split(separator: ",").map(String.init)
        return ExportCursor(row: words, of: kind)
    }
}

/// A slice that a COPY fills.
final class ExportSliceBuffer: Sendable {
    private let state = Mutex(ExportSlice())

    var slice: ExportSlice { state.withLock { $0 } }

    /// Appends rows and returns the new size of the slice in bytes.
    func append(_ piece: [UInt8]) -> Int {
        state.withLock { slice in
            slice.append(piece)
            return slice.bytes
        }
    }
}

/// Decides how many rows the next query of an export returns, so that slices have about the same size in bytes.
///
/// A slice is small enough to be kept in memory while it is sent, and large enough that its fixed cost, about 8 ms and
/// half a batch that is read again, does not matter.
struct SlicePlan {
    /// The approximate size of a slice in bytes.
    static let target = 8 << 20
    /// The size in bytes at which a slice is cut off.
    static let limit = 12 << 20

    /// The number of rows in the next slice: few at first, because their size is unknown and the first rows should
    /// arrive soon.
    private(set) var rows = 1_000

    mutating func learn(from slice: ExportSlice) {
        guard slice.rows > 0 else { return }
        let rowBytes = max(1, slice.bytes / slice.rows)
        rows = min(max(Self.target / rowBytes, 100), min(rows * 8, 100_000))
    }

    /// Whether there can be no rows after a slice.
    func isLast(_ slice: ExportSlice, wasCut: Bool) -> Bool {
        !wasCut && slice.rows < rows
    }
}
