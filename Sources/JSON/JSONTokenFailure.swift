/// An error inside a token whose end is nevertheless certain, so that only the event around it is rejected.
package enum JSONTokenFailure: Sendable {
    case invalidUTF8
    case controlCharacter
    case nul
    case badEscape
    case loneSurrogate
    /// A word in place of a value, such as `NaN`, `True` or `01`.
    case notAValue
    case tooDeep

    /// Whether JSON itself forbids it, rather than a limit of ours or PostgreSQL.
    package var isSyntax: Bool {
        switch self {
        case .invalidUTF8, .controlCharacter, .badEscape, .loneSurrogate, .notAValue: true
        case .nul, .tooDeep: false
        }
    }

    package var what: String {
        switch self {
        case .invalidUTF8: "is not valid UTF-8"
        case .controlCharacter: "holds a control character that is not escaped"
        case .nul: "contains the character NUL"
        case .badEscape: "holds an escape that JSON does not know"
        case .loneSurrogate: "holds half of a surrogate pair"
        case .notAValue: "is not a JSON value"
        case .tooDeep: "is nested too deeply"
        }
    }
}
