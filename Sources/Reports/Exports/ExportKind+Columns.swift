extension ExportKind {
    /// In the order of the statement.
    ///
    /// - Parameter text: with what people typed.
    package func columns(text: Bool) -> [ExportColumn] {
        switch self {
        case .events: Self.eventColumns.filter { text || $0.name != "user_text" }
        case .deliveries: Self.deliveryColumns
        case .replies: Self.replyColumns.filter { text || $0.name != "user_text" }
        }
    }

    /// An event as its sender posts it, and what the collector found.
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
        + [ExportColumn("actions", .json)]

    private static let replyColumns = [
        ExportColumn("delivery_id", .word), ExportColumn("event_id", .word), ExportColumn("occurred_at", .time),
        ExportColumn("notification_id", .text), ExportColumn("device_id", .text), ExportColumn("campaign_id", .text),
        ExportColumn("variant", .text), ExportColumn("category_id", .text), ExportColumn("category_version", .number),
        ExportColumn("action_identifier", .text), ExportColumn("platform", .text), ExportColumn("locale", .text),
        ExportColumn("corrected_at", .time), ExportColumn("verified", .boolean), ExportColumn("text_length", .number),
        ExportColumn("stored_at", .time), ExportColumn("user_text", .text),
    ]
}
