/// A category of notifications as the collector declares it: what its notifications offer.
public struct RemoteCategory: Sendable, Hashable, Codable {
    public struct Action: Sendable, Hashable, Codable {
        public struct TextInput: Sendable, Hashable, Codable {
            public var buttonTitle: String?
            public var placeholder: String?

            enum CodingKeys: String, CodingKey {
                case buttonTitle = "button_title"
                case placeholder
            }
        }

        public var identifier: String
        public var title: String
        /// Names of `UNNotificationActionOptions`.
        public var options: [String]?
        /// For actions that ask for a text.
        public var textInput: TextInput?

        enum CodingKeys: String, CodingKey {
            case identifier
            case title
            case options
            case textInput = "text_input"
        }
    }

    public var identifier: String
    public var version: Int32?
    /// Names of `UNNotificationCategoryOptions`.
    public var options: [String]?
    public var actions: [Action]
}
