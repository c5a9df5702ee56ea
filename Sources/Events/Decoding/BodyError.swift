/// Why a body as a whole can't be taken.
///
/// The description names what is wrong and where, never the content.
package enum BodyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The body can't be read: status 400. `offset` counts bytes from the start of the body.
    case malformed(what: String, offset: Int)
    /// The body holds more events than a request may: status 413.
    case tooManyEvents(limit: Int)

    package var description: String {
        switch self {
        case .malformed(let what, let offset): "\(what), at byte \(offset)"
        case .tooManyEvents(let limit): "a request holds at most \(limit) events"
        }
    }
}
