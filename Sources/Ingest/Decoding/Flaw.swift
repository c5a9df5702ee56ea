/// What is wrong with one event's JSON. It costs that event and no other.
enum Flaw: Sendable {
    /// A fault in a field's value; nil for the field if it is in a key.
    case token(TokenFault, FieldName?)
    case duplicate(FieldName)
    case tooLong(limit: Int)
    case notAnObject
    /// A line that is not JSON.
    case unreadable(what: String, offset: Int)

    var refusal: Refusal {
        switch self {
        case .token(let fault, let field):
            Refusal(fault.code, "\(field?.name ?? "the name of a field") \(fault.what)")
        case .duplicate(let field):
            Refusal(.fieldInvalid, "\(field.name) is stated twice")
        case .tooLong(let limit):
            Refusal(.limitExceeded, "the event is longer than \(limit) bytes")
        case .notAnObject:
            Refusal(.invalidJSONType, "the event is not an object")
        case .unreadable(let what, let offset):
            Refusal(.invalidJSONType, "the event is not JSON: \(what), at byte \(offset)")
        }
    }
}
