/// A variant of a campaign as it was declared.
package struct DeclaredVariant: Hashable, Sendable {
    package var id: Identifier
    package var weight: Double
    package var isControl: Bool

    package init(_ id: Identifier, weight: Double = 1, isControl: Bool = false) {
        self.id = id
        self.weight = weight
        self.isControl = isControl
    }
}
