import Events
import Hummingbird

/// Reads a body that is one JSON text.
struct JSONBody: Sendable {
    let bodies: BodyReader

    func withBody<Result: Sendable>(
        of request: Request, _ context: CollectorContext, _ use: ([UInt8]) throws -> Result
    ) async throws -> Result {
        guard try BodyFormat(contentType: request.headers[.contentType]) == .json else {
            throw Problem.unsupportedMediaType
        }
        return try await bodies.withBody(of: request, context, use)
    }
}
