import JSON

/// An error in the JSON of one event, which rejects only that event.
enum EventParseFailure: Sendable {
    /// A fault in a field's value, or in a key if the field is `nil`.
    case token(JSONTokenFailure, FieldName?)
    case duplicate(FieldName)
    case tooLong(limit: Int)
    case notAnObject
    /// A line that is not JSON.
    case unreadable(what: String, offset: Int)

    var refusal: EventValidationError {
        switch self {
        case .token(let fault, let field):
            EventValidationError(fault.code, "\(field?.name ?? "the name of a field") \(fault.what)")
        case .duplicate(let field):
            EventValidationError(.fieldInvalid, "\(field.name) appears twice")
        case .tooLong(let limit):
            EventValidationError(.limitExceeded, "the event is longer than \(limit) bytes")
        case .notAnObject:
            EventValidationError(.invalidJSONType, "the event is not an object")
        case .unreadable(let what, let offset):
            EventValidationError(.invalidJSONType, "the event is not JSON: \(what), at byte \(offset)")
        }
    }
}

extension JSONTokenFailure {
    var code: RejectionCode {
        switch self {
        case .invalidUTF8, .controlCharacter, .nul, .badEscape, .loneSurrogate: .textInvalid
        case .notAValue: .invalidJSONType
        case .tooDeep: .limitExceeded
        }
    }
}
