import Hummingbird
import NIOCore

/// Writes the body of a response from any task, no faster than its client reads.
// Safe: one response writes its chunks one after the other, and nothing else uses the writer.
final class StreamWriter: @unchecked Sendable {
    /// The bytes that are written before the task waits for the event loop.
    private static let stride = 64 * 1024

    private var writer: any ResponseBodyWriter
    private let eventLoop: any EventLoop
    private var written = 0

    /// Creates a writer.
    ///
    /// - Parameter eventLoop: the event loop of the connection.
    init(_ writer: any ResponseBodyWriter, on eventLoop: any EventLoop) {
        self.writer = writer
        self.eventLoop = eventLoop
    }

    func write(_ bytes: [UInt8]) async throws {
        try await writer.write(ByteBuffer(bytes: bytes))
        written += bytes.count
        guard written >= Self.stride else { return }
        written = 0
        // The writer below suspends this task only after the event loop has seen that the connection takes no more.
        // Until then a fast task could queue hundreds of MiB, so it waits here for the loop to catch up.
        try await eventLoop.submit {}.get()
    }

    func finish() async throws {
        try await writer.finish(nil)
    }
}

extension Response {
    /// The size of a text up to which it is sent at once, in bytes. Most are smaller.
    static let pieceBytes = 64 * 1024

    /// Returns the response with a text as its body. A long one is sent in pieces, no faster than its client reads.
    ///
    /// - Parameter permit: what the text takes. It is released at once if the text is short, or else once it was sent.
    func sending(
        _ text: String, holding permit: FairShareLimiter.Permit?, _ context: CollectorContext
    ) -> Response {
        var response = self
        guard text.utf8.count > Self.pieceBytes else {
            permit?.release()
            response.body = ResponseBody(byteBuffer: ByteBuffer(string: text))
            return response
        }
        let bytes = Array(text.utf8)
        response.body = ResponseBody(contentLength: bytes.count) { writer in
            let writer = StreamWriter(writer, on: context.eventLoop)
            for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
                try await writer.write(Array(bytes[start..<min(start + Self.pieceBytes, bytes.count)]))
            }
            try await writer.finish()
            permit?.release()
        }
        return response
    }
}
