/// A notification category as a team declares it: what a version of it consists of.
package struct CategoryDeclaration: Sendable, Equatable {
    package let identifier: String
    /// Names of UNNotificationCategoryOptions, sorted.
    package let options: [String]
    /// In the order of the buttons.
    package let actions: [ActionDeclaration]
    /// How long reply texts are kept, in seconds; 0 keeps none, nil takes the app's.
    package let textRetention: Int64?
    /// The first version of the app that can handle it; nil if any can.
    package let minAppVersion: AppVersion?
    /// Siri's intents that its notifications go with, for devices to register; they change no version.
    package let intents: [String]

    package init(
        identifier: String, options: [String], actions: [ActionDeclaration], textRetention: Int64?,
        minAppVersion: AppVersion? = nil, intents: [String] = []
    ) {
        self.identifier = identifier
        self.options = options
        self.actions = actions
        self.textRetention = textRetention
        self.minAppVersion = minAppVersion
        self.intents = intents
    }

    /// Whether both offer the same, so that they are one version.
    package func offersSame(as other: CategoryDeclaration) -> Bool {
        identifier == other.identifier && options == other.options && actions == other.actions
            && minAppVersion == other.minAppVersion
    }
}
