/// Gathers small writes into pieces worth handing on.
struct ChunkedWriter {
    private static let size = 16_384

    private var piece: [UInt8] = []

    init() {
        piece.reserveCapacity(Self.size + 4096)
    }

    nonisolated(nonsending) mutating func write(_ text: String, into sink: ReportSink) async throws {
        try await write(into: sink) { $0.append(contentsOf: text.utf8) }
    }

    /// - Parameter append: writes at the end of what is gathered.
    nonisolated(nonsending) mutating func write(
        into sink: ReportSink, _ append: (inout [UInt8]) -> Void
    ) async throws {
        append(&piece)
        if piece.count >= Self.size { try await finish(into: sink) }
    }

    /// Hands on what is left.
    nonisolated(nonsending) mutating func finish(into sink: ReportSink) async throws {
        guard !piece.isEmpty else { return }
        let full = piece
        piece.removeAll(keepingCapacity: true)
        try await sink(full)
    }
}
