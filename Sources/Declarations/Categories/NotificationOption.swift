/// The options of Apple's categories and actions: their names, and their bits in a `NotificationConfig`.
package enum NotificationOption {
    package static let ofCategories: [(name: String, bit: Int)] = [
        ("customDismissAction", 1), ("allowInCarPlay", 2), ("hiddenPreviewsShowTitle", 4),
        ("hiddenPreviewsShowSubtitle", 8), ("allowAnnouncement", 16),
    ]
    package static let ofActions: [(name: String, bit: Int)] = [
        ("authenticationRequired", 1), ("destructive", 2), ("foreground", 4),
    ]

    /// The bits of options by their names.
    package static func bits(_ names: [String], of options: [(name: String, bit: Int)]) -> Int {
        options.filter { names.contains($0.name) }.reduce(0) { $0 | $1.bit }
    }
}
