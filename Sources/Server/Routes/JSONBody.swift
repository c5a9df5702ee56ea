import Hummingbird
import Ingest

/// Reads a body that is one JSON text.
struct JSONBody: Sendable {
    let bodies: BodyReader

    /// Calls `use` with the text, decompressed.
    func withBody<Result: Sendable>(
        of request: Request, _ context: CollectorContext, _ use: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        guard try EventRoutes.format(of: request) == .json else { throw Problem.unsupportedMediaType }
        return try await bodies.withBody(of: request, context, use)
    }
}
