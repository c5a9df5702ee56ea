/// A text that is compared by its UTF-8 bytes.
///
/// metrics.md: "byte order, collation C". Swift's `String` is unsuitable, because it considers a composed and a
/// decomposed `é` equal.
package struct Identifier: Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

extension Identifier: Hashable {
    package static func == (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Array(text.utf8))
    }
}

extension Identifier: Comparable {
    package static func < (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension Identifier: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self.init(text)
    }
}
