import SQLFiles

/// A kind of rows that can be exported.
package enum ExportKind: String, Sendable, CaseIterable {
    case events
    case deliveries
    case replies

    /// Whether the rows can include typed text.
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

/// A column of an export: its name and the kind of its values.
package struct ExportColumn: Sendable {
    package enum Kind: Sendable {
        /// A text that a sender chose freely.
        case text
        /// An ID or one of a few words, without characters that need an escape in any format.
        case word
        case number
        case boolean
        case time
        /// A JSON value as the server writes it.
        case json
    }

    package let name: String
    package let kind: Kind

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

extension ExportKind {
    /// Returns the columns in the order of the statement.
    ///
    /// - Parameter text: Whether to include typed text.
    package func columns(text: Bool) -> [ExportColumn] {
        switch self {
        case .events: Self.eventColumns.filter { text || $0.name != "user_text" }
        case .deliveries: Self.deliveryColumns
        case .replies: Self.replyColumns.filter { text || $0.name != "user_text" }
        }
    }

    /// The fields of a posted event, and those that the collector added.
    private static let eventColumns = [
        ExportColumn("batch_id", .number), ExportColumn("delivery_id", .word), ExportColumn("event_id", .word),
        ExportColumn("occurred_at", .time), ExportColumn("kind", .word), ExportColumn("action_identifier", .text),
        ExportColumn("user_text", .text), ExportColumn("notification_id", .text), ExportColumn("device_id", .text),
        ExportColumn("campaign_id", .text), ExportColumn("variant", .text), ExportColumn("category_id", .text),
        ExportColumn("category_version", .number), ExportColumn("platform", .text), ExportColumn("surface", .text),
        ExportColumn("trigger", .text), ExportColumn("app_state", .text), ExportColumn("app_version", .text),
        ExportColumn("os_version", .text), ExportColumn("locale", .text), ExportColumn("utc_offset_minutes", .number),
        ExportColumn("dismiss_cause", .text), ExportColumn("handling", .text), ExportColumn("reason", .text),
        ExportColumn("name", .text), ExportColumn("value", .number), ExportColumn("currency", .text),
        ExportColumn("properties", .json), ExportColumn("corrected_at", .time),
        ExportColumn("skew_milliseconds", .number), ExportColumn("verified", .boolean),
        ExportColumn("receipt_issued_at", .time), ExportColumn("text_length", .number),
        ExportColumn("names_past_limit", .word),
    ]

    private static let deliveryColumns =
        [
            ExportColumn("delivery_id", .word), ExportColumn("notification_id", .text),
            ExportColumn("device_id", .text), ExportColumn("anchor_hour", .time), ExportColumn("campaign_id", .text),
            ExportColumn("variant", .text), ExportColumn("category_id", .text),
            ExportColumn("category_version", .number), ExportColumn("platform", .text),
            ExportColumn("app_version", .text),
        ]
        + [
            "sent", "failed", "confirmed", "delivered", "displayed", "opened", "acted", "replied", "dismissed", "read",
            "responded", "replaced", "converted_event", "verified",
        ].map { ExportColumn($0, .boolean) }
        + ["sent_at", "confirmed_at", "responded_at", "receipt_issued_at", "first_event_at"].map {
            ExportColumn($0, .time)
        }
        + [ExportColumn("actions", .json), ExportColumn("held_out", .boolean)]

    private static let replyColumns = [
        ExportColumn("delivery_id", .word), ExportColumn("event_id", .word), ExportColumn("occurred_at", .time),
        ExportColumn("notification_id", .text), ExportColumn("device_id", .text), ExportColumn("campaign_id", .text),
        ExportColumn("variant", .text), ExportColumn("category_id", .text), ExportColumn("category_version", .number),
        ExportColumn("action_identifier", .text), ExportColumn("platform", .text), ExportColumn("locale", .text),
        ExportColumn("corrected_at", .time), ExportColumn("verified", .boolean), ExportColumn("text_length", .number),
        ExportColumn("stored_at", .time), ExportColumn("user_text", .text),
    ]
}
