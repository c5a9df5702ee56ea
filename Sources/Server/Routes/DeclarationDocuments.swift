import Hummingbird

/// Serves documents with declarations and keys, which take memory until their clients have read them.
///
/// Short ones are sent at once. For longer ones a client needs a share of the memory.
struct DeclarationDocuments: Sendable {
    /// The bytes of a part of a list that is read from the database while it is sent.
    private static let partBytes = 4 << 20
    /// The campaigns in such a part, with up to 300 KB each.
    static let campaignsInPart = 13

    private let limiter: FairShareLimiter

    /// Creates a limit on what all documents take together.
    init(bytes: Int = 64 << 20) {
        limiter = .responses(bytes)
    }

    /// Returns a response with a document.
    ///
    /// - Parameter response: the response without its body.
    func response(
        _ text: String, in response: Response = .jsonHead, to client: ResourceClient, _ context: CollectorContext
    ) throws(Problem) -> Response {
        let length = text.utf8.count
        let permit =
            length > Response.pieceBytes
            ? try limiter.acquire(length, for: client, orThrow: .documentsTooMany) : nil
        return response.sending(text, holding: permit, context)
    }

    /// Returns a response with a list that is read in parts while it is sent, so that only one of them is in memory.
    ///
    /// - Parameter write: writes the document.
    func list(
        to client: ResourceClient, _ context: CollectorContext,
        _ write: @escaping @Sendable (StreamWriter) async throws -> Void
    ) throws(Problem) -> Response {
        let permit = try limiter.acquire(Self.partBytes, for: client, orThrow: .documentsTooMany)
        var response = Response.jsonHead
        response.body = ResponseBody { writer in
            let writer = StreamWriter(writer, on: context.eventLoop)
            try await write(writer)
            try await writer.finish()
            permit.release()
        }
        return response
    }
}
