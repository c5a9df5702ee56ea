/// A column of an export: its name and how its values are written.
package struct ExportColumn: Sendable {
    package enum Kind: Sendable {
        /// Whatever someone sent.
        case text
        /// An id or one of a few words: holds nothing that a format would have to escape.
        case word
        case number
        case boolean
        case time
        /// JSON as the server writes it.
        case json
    }

    package let name: String
    package let kind: Kind

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}
