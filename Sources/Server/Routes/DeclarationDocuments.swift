import HTTPTypes
import Hummingbird
import NIOCore

/// Serves documents with declarations and keys, which take memory until their clients have read them.
///
/// Short ones are sent at once. For longer ones a client needs a share of the memory.
struct DeclarationDocuments: Sendable {
    /// The size of a document up to which it is sent at once, in bytes. Most are smaller.
    private static let shortBytes = 64 * 1024
    /// The bytes of a part of a list that is read from the database while it is sent.
    private static let partBytes = 4 << 20

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
        var response = response
        guard text.utf8.count > Self.shortBytes else {
            response.body = ResponseBody(byteBuffer: ByteBuffer(string: text))
            return response
        }
        let bytes = Array(text.utf8)
        let permit = try limiter.acquire(bytes.count, for: client, orThrow: .documentsTooMany)
        response.body = ResponseBody(contentLength: bytes.count) { writer in
            let writer = StreamWriter(writer, on: context.eventLoop)
            for start in stride(from: 0, to: bytes.count, by: Self.shortBytes) {
                try await writer.write(Array(bytes[start..<min(start + Self.shortBytes, bytes.count)]))
            }
            try await writer.finish()
            permit.release()
        }
        return response
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
