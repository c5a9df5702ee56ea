public import Foundation

extension RemoteCategory {
    private struct Document: Decodable {
        let categories: [RemoteCategory]
    }

    /// Reads a set of categories: `{"categories": [...]}`, or a `NotificationConfig` document.
    public static func read(_ json: Data) throws -> [RemoteCategory] {
        let decoder = JSONDecoder()
        if let config = try? decoder.decode(NotificationConfig.self, from: json) { return config.categories }
        return try decoder.decode(Document.self, from: json).categories
    }
}

/// The form in which apps ship their categories: two maps, and options as bits.
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

    /// By their identifiers, because maps have no order.
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
