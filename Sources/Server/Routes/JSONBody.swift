import Hummingbird
import Ingest

/// Reads a body that is one JSON text.
struct JSONBody: Sendable {
    let limit: Int

    func read(_ request: Request) async throws -> [UInt8] {
        guard try EventRoutes.format(of: request) == .json else { throw Problem.unsupportedMediaType }
        return try await EventRoutes.body(of: request, limit: limit)
    }
}
