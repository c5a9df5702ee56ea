/// An action of a category, as the app's team declares it.
package struct ActionDeclaration: Sendable, Equatable {
    package let identifier: String
    package let title: String
    /// The names of the action's UNNotificationActionOptions, sorted.
    package let options: [String]
    /// The text field of the action, or `nil` if it doesn't ask for text.
    package let textInput: TextInput?
    /// Whether choosing it counts as a conversion.
    package let isGoal: Bool
    /// The first app version that handles it, or `nil` if all do.
    package let minAppVersion: AppVersion?

    package struct TextInput: Sendable, Equatable {
        package let buttonTitle: String?
        package let placeholder: String?

        package init(buttonTitle: String?, placeholder: String?) {
            self.buttonTitle = buttonTitle
            self.placeholder = placeholder
        }
    }

    package init(
        identifier: String, title: String, options: [String], textInput: TextInput?, isGoal: Bool,
        minAppVersion: AppVersion? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.textInput = textInput
        self.isGoal = isGoal
        self.minAppVersion = minAppVersion
    }
}
