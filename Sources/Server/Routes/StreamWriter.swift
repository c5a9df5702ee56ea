import Hummingbird
import NIOCore

/// Writes the body of a response from any task.
// Safe, because one response writes its chunks one after the other, and nothing else uses the writer.
final class StreamWriter: @unchecked Sendable {
    private var writer: any ResponseBodyWriter

    init(_ writer: any ResponseBodyWriter) {
        self.writer = writer
    }

    func write(_ bytes: [UInt8]) async throws {
        try await writer.write(ByteBuffer(bytes: bytes))
    }

    func finish() async throws {
        try await writer.finish(nil)
    }
}
