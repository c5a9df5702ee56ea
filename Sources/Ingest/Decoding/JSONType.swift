/// What a JSON value is, by its first byte.
enum JSONType: UInt8, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
    /// A word that is no JSON value, such as `NaN`; its event is rejected.
    case other
}
