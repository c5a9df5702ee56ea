/// The options of Apple's categories and actions: their names, and their bits in a `NotificationConfig`.
enum NotificationOption {
    static let ofCategories: [(name: String, bit: Int)] = [
        ("customDismissAction", 1), ("allowInCarPlay", 2), ("hiddenPreviewsShowTitle", 4),
        ("hiddenPreviewsShowSubtitle", 8), ("allowAnnouncement", 16),
    ]
    static let ofActions: [(name: String, bit: Int)] = [
        ("authenticationRequired", 1), ("destructive", 2), ("foreground", 4),
    ]
}
