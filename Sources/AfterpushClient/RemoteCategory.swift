public import Foundation

/// A notification category as the collector declares it.
///
/// ``AfterpushClient/fetchCategories()`` returns the categories of the app. `registerCategories` of
/// `AfterpushNotifications` also registers them with the system.
public struct RemoteCategory: Sendable, Hashable, Codable {
    /// An action of a category: a button, or a text field with a button.
    public struct Action: Sendable, Hashable, Codable {
        /// The labels of a text input action.
        public struct TextInput: Sendable, Hashable, Codable {
            /// The title of the button that sends the text.
            public var buttonTitle: String?
            /// The text that an empty field shows.
            public var placeholder: String?

            enum CodingKeys: String, CodingKey {
                case buttonTitle = "button_title"
                case placeholder
            }
        }

        /// The identifier that the system reports for a tap.
        public var identifier: String
        /// The title of the button.
        public var title: String
        /// The names of the options in `UNNotificationActionOptions`, such as `foreground`.
        public var options: [String]?
        /// The labels of the text field, or nil for a plain button.
        public var textInput: TextInput?

        enum CodingKeys: String, CodingKey {
            case identifier
            case title
            case options
            case textInput = "text_input"
        }
    }

    /// The identifier that a payload names in `aps.category`.
    public var identifier: String
    /// The version of the category, or nil if it didn't come from the collector.
    public var version: Int32?
    /// The names of the options in `UNNotificationCategoryOptions`, such as `customDismissAction`.
    public var options: [String]?
    /// The actions, in the order in which the notification offers them.
    public var actions: [Action]

    /// Decodes a set of categories from `{"categories": [...]}` or from a `NotificationConfig` document.
    ///
    /// - Throws: A `DecodingError` if the document has neither form.
    public static func decode(_ json: Data) throws -> [RemoteCategory] {
        struct Document: Decodable {
            let categories: [RemoteCategory]
        }
        let decoder = JSONDecoder()
        if let config = try? decoder.decode(NotificationConfig.self, from: json) { return config.categories }
        return try decoder.decode(Document.self, from: json).categories
    }
}

/// A document in the form in which many apps ship their categories: two maps, and options as bit masks.
private struct NotificationConfig: Decodable {
    struct Maps: Decodable {
        let categories: [String: Category]
        let actions: [String: Action]

        enum CodingKeys: String, CodingKey {
            case categories = "UNNotificationCategory"
            case actions = "UNNotificationAction"
        }
    }

    struct Category: Decodable {
        let identifier: String
        let actions: [String]
        let options: UInt?
    }

    struct Action: Decodable {
        struct TextInput: Decodable {
            let buttonTitle: String?
            let placeholder: String?
        }

        let identifier: String
        let title: String
        let options: UInt?
        let textInput: TextInput?
    }

    let maps: Maps

    enum CodingKeys: String, CodingKey {
        case maps = "NotificationConfig"
    }

    /// The categories in the order of their identifiers, because a JSON object has no order.
    var categories: [RemoteCategory] {
        maps.categories.values.sorted { $0.identifier < $1.identifier }.map { category in
            RemoteCategory(
                identifier: category.identifier, version: nil,
                options: OptionNames.ofCategories.names(of: category.options ?? 0),
                actions: category.actions.compactMap { maps.actions[$0] }.map { action in
                    RemoteCategory.Action(
                        identifier: action.identifier, title: action.title,
                        options: OptionNames.ofActions.names(of: action.options ?? 0),
                        textInput: action.textInput.map {
                            .init(buttonTitle: $0.buttonTitle, placeholder: $0.placeholder)
                        })
                })
        }
    }
}

/// The names and bits of the options that Apple defines for categories and actions.
package struct OptionNames: Sendable {
    private let options: [(name: String, bit: UInt)]

    package static let ofCategories = OptionNames(options: [
        ("customDismissAction", 1), ("allowInCarPlay", 2), ("hiddenPreviewsShowTitle", 4),
        ("hiddenPreviewsShowSubtitle", 8), ("allowAnnouncement", 16),
    ])
    package static let ofActions = OptionNames(options: [
        ("authenticationRequired", 1), ("destructive", 2), ("foreground", 4),
    ])

    package func names(of bits: UInt) -> [String] {
        options.filter { bits & $0.bit != 0 }.map(\.name)
    }

    /// Returns the bits of the names. An unknown name, as a newer collector may send, has no bit.
    package func bits(of names: [String]) -> UInt {
        options.filter { names.contains($0.name) }.reduce(0) { $0 | $1.bit }
    }
}
