/// A statement of a report file, split where psql would insert a variable's value.
package struct SQLTemplate: Sendable, Equatable {
    /// The notation of a variable, which decides where its value can come from.
    package enum Style: Sendable, Equatable {
        /// A quoted constant, written `:'name'`; any value is safe.
        case value
        /// A quoted identifier, written `:"name"`; the value must come from a prelude.
        case identifier
        /// An unquoted text, written `:name`; the value must come from a prelude.
        case raw
    }

    package struct Variable: Sendable, Equatable {
        package let style: Style
        package let name: String
        package let line: Int
    }

    enum Piece: Sendable, Equatable {
        case text(String)
        case variable(Variable)
    }

    private(set) var pieces: [Piece] = []
    let line: Int

    init(line: Int) {
        self.line = line
    }

    mutating func append(_ text: String) {
        guard case .text(let before) = pieces.last else { return pieces.append(.text(text)) }
        pieces[pieces.count - 1] = .text(before + text)
    }

    mutating func append(_ variable: Variable) {
        pieces.append(.variable(variable))
    }

    var variables: [Variable] {
        pieces.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
    }

    /// The first word of the statement in lower case, which identifies its kind.
    var verb: String {
        guard case .text(let text) = pieces.first else { return "" }
        return text.prefix { $0.isLetter }.lowercased()
    }
}
