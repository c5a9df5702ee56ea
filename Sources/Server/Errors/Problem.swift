import AfterpushWire
package import HTTPTypes

/// An error as its receiver sees it: a problem document (RFC 9457) with a stable `code`.
package struct Problem: Error, Sendable {
    package let status: HTTPResponse.Status
    /// Stable, for programs.
    package let code: String
    /// For people; holds nothing that was sent.
    package let detail: String
    package var headers: HTTPFields = [:]
    /// Read no further: what follows on the connection is not wanted.
    package var closesConnection = false

    package init(_ status: HTTPResponse.Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// Returns the same problem with a `Retry-After` of this many seconds.
    func retryable(after seconds: Int) -> Problem {
        var problem = self
        problem.headers[.retryAfter] = String(seconds)
        return problem
    }
}
