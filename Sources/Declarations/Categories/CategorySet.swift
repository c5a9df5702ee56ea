package import AfterpushWire
package import Foundation
import JSON

/// The complete set of an app's categories, as a document declares it.
///
/// There are two formats: `{"categories": [...]}`, and `{"NotificationConfig": {...}}` with the maps
/// `UNNotificationCategory` and `UNNotificationAction` and options as bit masks.
package struct CategorySet: Sendable, Equatable {
    package let categories: [CategoryDeclaration]
    /// The time when changed categories take effect, or `nil` if immediately.
    package let effectiveFrom: Timestamp?

    /// Reads a document. The error lists all of its problems.
    package init(json: Data) throws(CategorySetError) {
        guard !JSONText.hasManyCombiningMarks(Array(json)) else {
            throw CategorySetError(problems: ["the document has more than 128 combining marks in a row"])
        }
        guard let document = try? JSONDecoder().decode(JSONValue.self, from: json), case .object(let root) = document
        else { throw CategorySetError(problems: ["the document is not a JSON object"]) }
        var reader = CategoryReader()
        let categories =
            root["NotificationConfig"].map { reader.readNotificationConfig($0) }
            ?? reader.readCategories(root["categories"])
        effectiveFrom = reader.readTime(root["effective_from"], "effective_from")
        reader.checkIdentifiers(of: categories)
        guard reader.problems.isEmpty else { throw CategorySetError(problems: reader.problems) }
        self.categories = categories
    }
}

/// An error that lists all problems of a set of categories, one per line.
package struct CategorySetError: Error, Sendable, Equatable, CustomStringConvertible {
    package let problems: [String]

    package var description: String { problems.joined(separator: "\n") }
}
