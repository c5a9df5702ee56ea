/// An action of a category as a team declares it.
package struct ActionDeclaration: Sendable, Equatable {
    package let identifier: String
    package let title: String
    /// Names of UNNotificationActionOptions, sorted.
    package let options: [String]
    /// Nil if the action asks for no text.
    package let textInput: TextInput?
    /// Whether acting with it is a conversion.
    package let isGoal: Bool
    /// The first version of the app that can handle it; nil if any can.
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
