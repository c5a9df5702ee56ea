/// Options of Apple's categories and actions: their names, as documents have them, and their bits.
package struct OptionNames: Sendable {
    private let all: [(name: String, bit: UInt)]

    package static let ofCategories = OptionNames(all: [
        ("customDismissAction", 1), ("allowInCarPlay", 2), ("hiddenPreviewsShowTitle", 4),
        ("hiddenPreviewsShowSubtitle", 8), ("allowAnnouncement", 16),
    ])
    package static let ofActions = OptionNames(all: [
        ("authenticationRequired", 1), ("destructive", 2), ("foreground", 4),
    ])

    package func names(of bits: UInt) -> [String] {
        all.filter { bits & $0.bit != 0 }.map(\.name)
    }

    /// Names that nobody knows, as a newer collector's, have no bit.
    package func bits(of names: [String]) -> UInt {
        all.filter { names.contains($0.name) }.reduce(0) { $0 | $1.bit }
    }
}
