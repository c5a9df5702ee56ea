/// A declared version of a category.
package struct CategoryVersion: Hashable, Sendable {
    package var category: Identifier
    /// The number of the version: 1, 2, 3 and so on.
    package var version: Int
    /// In microseconds since the Unix epoch; ignored for version 1.
    package var effectiveFrom: Int?
    /// Microseconds since the Unix epoch; nil if it doesn't matter.
    package var declaredAt: Int?
    package var options: [String]
    package var actions: [DeclaredAction]
    /// A category is retired if its newest version is.
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

/// A button of a category version.
package struct DeclaredAction: Hashable, Sendable {
    package var id: Identifier
    package var title: String
    package var options: [String]
    package var textInput: Bool
    package var goal: Bool

    package init(
        _ id: Identifier,
        title: String,
        options: [String] = [],
        textInput: Bool = false,
        goal: Bool = false
    ) {
        self.id = id
        self.title = title
        self.options = options
        self.textInput = textInput
        self.goal = goal
    }

    var isDestructive: Bool {
        options.contains("destructive")
    }
}
