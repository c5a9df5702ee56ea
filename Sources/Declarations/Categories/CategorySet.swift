package import AfterpushWire
package import Events
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

    /// Reads a document. The error lists its problems.
    ///
    /// - Parameter limits: The limits of an app's names, to refuse lists that exceed them before their entries are
    ///   read; `nil` if the set is only compared with them later.
    package init(json: Data, limits: NameLimits? = nil) throws(CategorySetError) {
        let root = try Self.root(Array(json), limits)
        var reader = CategoryReader(limits: limits)
        let categories =
            root["NotificationConfig"].map { reader.readNotificationConfig($0) }
            ?? reader.readCategories(root["categories"])
        effectiveFrom = reader.readTime(root["effective_from"], "effective_from")
        reader.checkIdentifiers(of: categories)
        if let excess = reader.excess { throw CategorySetError(problems: [excess], exceedsLimit: true) }
        guard reader.problems.isEmpty else {
            throw CategorySetError(problems: reader.problems.listed, others: reader.problems.others)
        }
        self.categories = categories
    }

    /// The entries that a list may have at least, whatever the limits of names are. Few lists are of names.
    private static let leastLimit = 10_000

    private static func root(
        _ json: [UInt8], _ limits: NameLimits?
    ) throws(CategorySetError) -> [String: JSONValue] {
        guard !JSONText.hasManyCombiningMarks(json) else {
            throw CategorySetError(problems: ["the document has more than 128 combining marks in a row"])
        }
        let mostEntries = limits.map { max(leastLimit, $0.categories, $0.actions) } ?? .max
        do throws(JSONValueReader.Failure) {
            if case .object(let root) = try JSONValueReader.read(json, mostEntries: mostEntries) { return root }
        } catch {
            switch error {
            case .malformed: break
            case .tooManyEntries(let limit):
                throw CategorySetError(
                    problems: ["a list or an object has more than \(limit) entries"], exceedsLimit: true)
            case .tooManyValues(let limit):
                throw CategorySetError(problems: ["the document has more than \(limit) values"], exceedsLimit: true)
            }
        }
        throw CategorySetError(problems: ["the document is not a JSON object"])
    }
}

/// An error that lists the problems of a set of categories, one per line.
package struct CategorySetError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The first 100 problems, or fewer if they are long.
    package let problems: [String]
    /// The number of further problems.
    package let others: Int
    /// Whether a list has more entries than a limit.
    package let exceedsLimit: Bool

    init(problems: [String], others: Int = 0, exceedsLimit: Bool = false) {
        self.problems = problems
        self.others = others
        self.exceedsLimit = exceedsLimit
    }

    package var description: String {
        let lines = others == 0 ? problems : problems + ["and \(others) more"]
        return lines.joined(separator: "\n")
    }
}
