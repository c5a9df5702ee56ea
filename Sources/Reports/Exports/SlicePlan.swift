/// How many rows the next slice of an export asks for, so that slices are of one size whatever rows are.
///
/// A slice is small enough to be held in memory while its reader takes it, and large enough that what each costs apart
/// from its rows, about 8 ms and half a batch that is read once more, does not count.
struct SlicePlan {
    /// Bytes of a slice, about.
    static let target = 8 << 20
    /// Bytes at which a slice is cut, though it was to have more rows.
    static let limit = 12 << 20

    /// Few at first, so that the first rows are there soon, and nothing is known of their size.
    private(set) var rows = 1_000

    mutating func learn(from slice: ExportSlice) {
        guard slice.rows > 0 else { return }
        let rowBytes = max(1, slice.bytes / slice.rows)
        rows = min(max(Self.target / rowBytes, 100), min(rows * 8, 100_000))
    }

    /// Whether no row can be left.
    func isLast(_ slice: ExportSlice, wasCut: Bool) -> Bool {
        !wasCut && slice.rows < rows
    }
}
