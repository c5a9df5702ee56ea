import AfterpushWire
import Foundation

/// A row's position in the order of all rows of an export: the values of its first columns, separated by commas.
///
/// Events are ordered by `batch_id,delivery_id,event_id,occurred_at`, which is the order in which they were stored,
/// deliveries by `delivery_id`, and replies by `delivery_id,event_id,occurred_at`. A row's position never changes.
package struct ExportCursor: Sendable, Equatable, CustomStringConvertible {
    /// The names of the cursor's columns with their values.
    let values: [(name: String, value: String)]

    /// Reads a cursor from text; the result is `nil` unless every value is valid for its column.
    package init?(_ text: String, of kind: ExportKind) {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let columns = kind.columns(text: false).prefix(kind.cursorColumns)
        guard words.count == columns.count else { return nil }
        var values: [(name: String, value: String)] = []
        for (word, column) in zip(words, columns) {
            guard let value = Self.checked(word, column.kind) else { return nil }
            values.append((column.name, value))
        }
        self.values = values
    }

    /// Creates the cursor of a row that the server sent.
    init(row: [String], of kind: ExportKind) {
        values = zip(kind.columns(text: false), row).map { ($0.name, $1) }
    }

    /// Returns the cursor before all rows.
    static func start(of kind: ExportKind) -> ExportCursor {
        let nothing = kind.columns(text: false).prefix(kind.cursorColumns).map { column in
            switch column.kind {
            case .number: "0"
            case .time: "-infinity"
            default: "00000000-0000-0000-0000-000000000000"
            }
        }
        return ExportCursor(row: nothing, of: kind)
    }

    /// Estimates the fraction of rows before the cursor, given that delivery IDs are evenly distributed.
    ///
    /// - Parameter batches: The number of the last batch.
    package func fraction(ofBatches batches: Int64) -> Double {
        guard let (name, value) = values.first else { return 0 }
        if name == "batch_id" { return Double(Int64(value) ?? 0) / Double(max(1, batches)) }
        return Double(UInt32(value.prefix(8), radix: 16) ?? 0) / Double(UInt32.max)
    }

    package var description: String { values.map(\.value).joined(separator: ",") }

    package static func == (one: Self, other: Self) -> Bool { one.description == other.description }

    private static func checked(_ word: String, _ kind: ExportColumn.Kind) -> String? {
        switch kind {
        case .number: Int64(word).flatMap { $0 >= 0 ? String($0) : nil }
        case .time: word.count > ReportTime.dateLength ? ReportTime.read(word, zone: .gmt)?.description : nil
        default: UUID(uuidString: word)?.uuidString.lowercased()
        }
    }
}
