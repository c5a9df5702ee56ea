package import Hummingbird

/// Answers each request in a task of its own.
///
/// A task keeps the memory that its deepest call took until it ends, and the task of a connection ends with the
/// connection: thousands of idle ones would hold what their last request needed.
package struct TaskPerRequest<Responder: HTTPResponder>: HTTPResponder where Responder.Context: Sendable {
    private let responder: Responder

    package init(responder: Responder) {
        self.responder = responder
    }

    package func respond(to request: Request, context: Responder.Context) async throws -> Response {
        async let response = responder.respond(to: request, context: context)
        return try await response
    }
}
