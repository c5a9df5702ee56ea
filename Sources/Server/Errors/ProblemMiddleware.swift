import HTTPTransport
import Hummingbird
import JSON
import Logging
import NIOCore
import Reports

/// Converts every error to a problem document, and adds the request's id to every response.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = CollectorContext

    let limits: HTTPLimits

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            if let fault = RequestReadError(request.head) { throw fault }
            response = try await next(request, context)
        } catch {
            response = answer(to: error, context)
        }
        response.headers[.requestID] = context.requestID
        // Over HTTP/2, a body after HEAD would end the connection, and over HTTP/1.1 the client would read it as the
        // next response.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(to error: any Error, _ context: CollectorContext) -> Response {
        let problem = Problem(error, limits: limits)
        if problem.status.code >= 500, !(error is Problem) {
            context.logger.warning("request failed", metadata: ["error": "\(error)", "code": "\(problem.code)"])
        }
        var response = Response(
            status: problem.status, headers: problem.headers, body: .init(byteBuffer: Self.document(problem, context)))
        response.headers[.contentType] = "application/problem+json"
        if problem.closesConnection { response.headers[.connection] = "close" }
        return response
    }

    private static func document(_ problem: Problem, _ context: CollectorContext) -> ByteBuffer {
        ByteBuffer(
            string: JSONText.object([
                ("type", JSONText.string("about:blank")),
                ("title", JSONText.string(problem.status.reasonPhrase)),
                ("status", String(problem.status.code)),
                ("code", JSONText.string(problem.code)),
                ("detail", JSONText.string(problem.detail)),
                ("request_id", JSONText.string(context.requestID)),
            ]))
    }
}
