/// How a request's body holds its events.
package enum BodyFormat: Sendable {
    /// One JSON text: a request, an array of events, or one event.
    case json
    /// One event a line.
    case ndjson
}
