/// A receiver of a document in pieces. The next piece is created when it returns, so a slow reader delays the writer.
package typealias ReportSink = nonisolated(nonsending) ([UInt8]) async throws -> Void

/// A format in which results are written.
package protocol ReportFormat: Sendable {
    /// The value of the header `Content-Type`, with its parameters.
    var contentType: String { get }

    /// Writes a result row by row, in pieces of about 16 KiB, without a second copy of the whole result.
    nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws
}

/// An output format of a report.
package enum ReportOutput: Sendable, Hashable {
    case table
    case csv(CSVDialect)
    case json
    case ndjson
    case markdown
    case html
    case xlsx

    /// The names in requests, in the order in which they are documented.
    package static let names = ["table", "csv", "json", "ndjson", "markdown", "html", "xlsx"]

    /// The name in requests; CSV with special settings has its own name.
    package var name: String {
        switch self {
        case .table: "table"
        case .csv(let dialect): dialect.name
        case .json: "json"
        case .ndjson: "ndjson"
        case .markdown: "markdown"
        case .html: "html"
        case .xlsx: "xlsx"
        }
    }

    /// Whether a cell has a number as people read it, a rate with its interval.
    var isForPeople: Bool { [.table, .markdown, .html].contains(self) }

    /// Whether a terminal can't show it.
    package var isBinary: Bool { self == .xlsx }

    package init?(name: String, dialect: CSVDialect = CSVDialect()) {
        switch name {
        case "table": self = .table
        case "csv": self = .csv(dialect)
        case "json": self = .json
        case "ndjson": self = .ndjson
        case "markdown": self = .markdown
        case "html": self = .html
        case "xlsx": self = .xlsx
        default: return nil
        }
    }
}

/// Collects small writes into pieces of about 16 KiB.
struct ChunkedWriter {
    private static let size = 16_384

    private var piece: [UInt8] = []

    init() {
        piece.reserveCapacity(Self.size + 4096)
    }

    nonisolated(nonsending) mutating func write(_ text: String, into sink: ReportSink) async throws {
        try await write(into: sink) { $0.append(contentsOf: text.utf8) }
    }

    /// Adds bytes, and passes them to the sink when there are enough.
    ///
    /// - Parameter append: Appends to the collected bytes.
    nonisolated(nonsending) mutating func write(
        into sink: ReportSink, _ append: (inout [UInt8]) -> Void
    ) async throws {
        append(&piece)
        if piece.count >= Self.size { try await finish(into: sink) }
    }

    /// Passes the remaining bytes to the sink.
    nonisolated(nonsending) mutating func finish(into sink: ReportSink) async throws {
        guard !piece.isEmpty else { return }
        let full = piece
        piece.removeAll(keepingCapacity: true)
        try await sink(full)
    }
}
