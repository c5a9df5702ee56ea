/// A request that the collector did not take, however often it was tried.
package struct FleetPostError: Error, Equatable, CustomStringConvertible {
    /// Nil if no answer came.
    package let status: Int?
    /// The problem document's stable name, if the answer was one.
    package let code: String?
    /// What the collector or the connection said.
    package let detail: String?
    package let tries: Int

    init(_ failure: FleetTransport.Failure) {
        self.init(status: failure.status, code: failure.code, detail: failure.detail, tries: failure.tries)
    }

    init(status: Int?, code: String?, detail: String?, tries: Int) {
        self.status = status
        self.code = code
        self.detail = detail
        self.tries = tries
    }

    package var description: String {
        let answer = status.map { "status \($0)" } ?? "no answer"
        let parts = [answer, code, detail].compactMap(\.self).joined(separator: ", ")
        return "the collector did not take a request: \(parts) (\(tries) \(tries == 1 ? "try" : "tries"))"
    }
}
