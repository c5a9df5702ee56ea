package import AfterpushWire
package import Foundation

/// A whole set of categories, as a document declares it.
///
/// Two forms are read: `{"categories": [...]}`, and `{"NotificationConfig": {...}}` with the maps
/// `UNNotificationCategory` and `UNNotificationAction` and options as bit masks.
package struct CategorySet: Sendable, Equatable {
    package let categories: [CategoryDeclaration]
    /// From when changed categories are in force; nil is from when they are put.
    package let effectiveFrom: Timestamp?

    /// Reads a document. Everything that is wrong with it is in one error.
    package init(json: Data) throws(CategorySetError) {
        guard let document = try? JSONDecoder().decode(JSONValue.self, from: json), case .object(let root) = document
        else { throw CategorySetError(problems: ["the document is not a JSON object"]) }
        var reader = CategoryReader()
        let categories =
            root["NotificationConfig"].map { reader.notificationConfig($0) }
            ?? reader.categories(root["categories"])
        effectiveFrom = reader.time(root["effective_from"], "effective_from")
        reader.checkIdentifiers(of: categories)
        guard reader.problems.isEmpty else { throw CategorySetError(problems: reader.problems) }
        self.categories = categories
    }
}
