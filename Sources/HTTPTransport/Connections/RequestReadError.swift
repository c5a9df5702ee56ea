package import HTTPTypes

/// Why a request could not be read to its end.
package enum RequestReadError: Error, Equatable {
    /// It is not HTTP, or could be read in two ways.
    case malformed
    case headersTooLarge
    /// The headers did not come in time.
    case headersSlow
    /// The body did not come in time.
    case bodySlow

    /// The method of the placeholder for a request that could not be read.
    ///
    /// It is passed on like any other, so that it is answered in its turn, logged and counted where all are. Who sends
    /// it himself is answered no better.
    static let method = HTTPRequest.Method("AFTERPUSH-UNREADABLE")

    var request: HTTPRequest? {
        Self.method.map { HTTPRequest(method: $0, scheme: nil, authority: nil, path: "/\(self)") }
    }

    package init?(_ request: HTTPRequest) {
        guard request.method == Self.method else { return nil }
        self = [.headersTooLarge, .headersSlow].first { request.path == "/\($0)" } ?? .malformed
    }
}
