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
