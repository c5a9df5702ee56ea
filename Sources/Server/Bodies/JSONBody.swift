import Hummingbird
import Ingest

/// Reads a body that is one JSON text.
struct JSONBody: Sendable {
    let bodies: BodyReader

    func read(_ request: Request, _ context: CollectorContext) async throws -> [UInt8] {
        guard try BodyFormat(contentType: request.headers[.contentType]) == .json else {
            throw Problem.unsupportedMediaType
        }
        return try await bodies.withBody(of: request, context) { $0 }
    }
}
