import AfterpushWire
package import HTTPTypes
import JSON

/// An error as the client sees it: a problem document (RFC 9457) with a stable `code`.
package struct Problem: Error, Sendable {
    package let status: HTTPResponse.Status
    /// A stable identifier, for programs.
    package let code: String
    /// A text for people, which quotes little of the request.
    package var detail: String
    package var headers: HTTPFields = [:]
    /// Whether to close the connection after the response, because the rest of the request is not read.
    package var closesConnection = false

    /// The most bytes of a detail, which waits in memory for as long as its client takes to read it.
    private static let longestDetail = 65_536

    /// Creates a problem.
    ///
    /// - Parameter detail: A text for people, which is cut if it is very long.
    package init(_ status: HTTPResponse.Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail.cut(toBytes: Self.longestDetail)
    }

    /// Returns the same problem with a `Retry-After` of this many seconds.
    func retryable(after seconds: Int) -> Problem {
        var problem = self
        problem.headers[.retryAfter] = String(seconds)
        return problem
    }
}
