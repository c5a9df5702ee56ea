import SQLFiles

/// What can be exported, row by row.
package enum ExportKind: String, Sendable, CaseIterable {
    case events
    case deliveries
    case replies

    /// Whether its rows can carry what people typed.
    package var hasText: Bool { self != .deliveries }

    /// The number of leading columns that form the cursor: a row's position in the order of all rows.
    var cursorColumns: Int {
        switch self {
        case .events: 4
        case .deliveries: 1
        case .replies: 3
        }
    }

    var statement: SQLFile {
        switch self {
        case .events: SQLFiles.exportEvents
        case .deliveries: SQLFiles.exportDeliveries
        case .replies: SQLFiles.exportReplies
        }
    }
}
