/// One statement of a report file, cut where psql would put a variable's value.
package struct SQLTemplate: Sendable, Equatable {
    /// How a variable is written, which decides where its value may come from.
    package enum Style: Sendable, Equatable {
        /// `:'name'`: a quoted constant, whatever is in it.
        case value
        /// `:"name"`: a quoted identifier, from a prelude only.
        case identifier
        /// `:name`: the text as it is, from a prelude only.
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

    /// The first word of the statement, in lower case: what kind of statement it is.
    var verb: String {
        guard case .text(let text) = pieces.first else { return "" }
        return text.prefix { $0.isLetter }.lowercased()
    }
}
