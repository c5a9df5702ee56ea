/// A category as it was declared at one time.
package struct CategoryVersion: Hashable, Sendable {
    package var category: Identifier
    /// 1, 2, 3...
    package var version: Int
    /// Microseconds since the Unix epoch; without meaning for version 1.
    package var effectiveFrom: Int?
    package var options: [String]
    package var actions: [DeclaredAction]
    /// The newest version's is the category's.
    package var retired: Bool

    package init(
        _ category: Identifier,
        _ version: Int,
        effectiveFrom: Int? = nil,
        options: [String] = [],
        actions: [DeclaredAction],
        retired: Bool = false
    ) {
        self.category = category
        self.version = version
        self.effectiveFrom = effectiveFrom
        self.options = options
        self.actions = actions
        self.retired = retired
    }

    /// "A version is in force from the hour of its `effective_from`; version 1 from the beginning of time."
    package var effectiveHour: Int {
        guard version > 1, let effectiveFrom else { return Int.min }
        return hourStart(effectiveFrom)
    }

    func action(_ id: Identifier) -> DeclaredAction? {
        actions.first { $0.id == id }
    }

    func offers(_ id: Identifier) -> Bool {
        action(id) != nil
    }

    /// `reply_rate`: "deliveries whose category version offers a text action".
    var offersText: Bool {
        actions.contains { $0.textInput }
    }

    var hasCustomDismissAction: Bool {
        options.contains("customDismissAction")
    }
}
