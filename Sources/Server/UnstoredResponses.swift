import HTTPTypes
import Hummingbird

/// Forbids caches to keep a response that doesn't say how long it holds, such as an error, or the answer to a `GET` that
/// stores events. A cache in front of the collector would otherwise answer the next one, also with another key.
enum UnstoredResponses {
    static func apply(to response: inout Response, _ request: Request) {
        // Caches keep no responses to other methods (RFC 9110, 9.2.3).
        let isCacheable = request.method == .get || request.method == .head
        if isCacheable, response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }
}
