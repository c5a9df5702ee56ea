package import HTTPTypes

/// The reason why a request could not be read completely.
package enum RequestReadError: Error, Equatable {
    /// The request is not HTTP, or could be read in two ways.
    case malformed
    case headersTooLarge
    /// The headers did not arrive in time.
    case headersSlow
    /// The body did not arrive in time.
    case bodySlow

    /// The method of the placeholder for a request that could not be read.
    ///
    /// The placeholder passes through the server like any other request, so that it is answered in order, logged and
    /// counted. A client that sends this method itself gets an error, too.
    static let method = HTTPRequest.Method("AFTERPUSH-UNREADABLE")

    var request: HTTPRequest? {
        Self.method.map { HTTPRequest(method: $0, scheme: nil, authority: nil, path: "/\(self)") }
    }

    package init?(_ request: HTTPRequest) {
        guard request.method == Self.method else { return nil }
        self = [.headersTooLarge, .headersSlow].first { request.path == "/\($0)" } ?? .malformed
    }
}
