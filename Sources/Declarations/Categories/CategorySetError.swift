/// All that is wrong with a set of categories, a line for each.
package struct CategorySetError: Error, Sendable, Equatable, CustomStringConvertible {
    package let problems: [String]

    package var description: String { problems.joined(separator: "\n") }
}
