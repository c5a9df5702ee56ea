import Dispatch
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Server

struct StreamWriterTests {
    private final class Received: Sendable {
        private let bytes = Mutex(0)

        var count: Int { bytes.withLock { $0 } }

        func add(_ count: Int) { bytes.withLock { $0 += count } }
    }

    /// Takes everything at once, as a connection does until its event loop says that it is full.
    private struct EagerWriter: ResponseBodyWriter {
        let received: Received

        func write(_ buffer: ByteBuffer) async throws { received.add(buffer.readableBytes) }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    @Test func `a busy event loop holds back a response after 64 KiB`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.next()
        let received = Received()
        let busy = DispatchSemaphore(value: 0)
        eventLoop.execute { busy.wait() }
        let response = Task {
            let writer = StreamWriter(EagerWriter(received: received), on: eventLoop)
            for _ in 0..<100 { try await writer.write([UInt8](repeating: 0x20, count: 16 * 1024)) }
            try await writer.finish()
        }
        while received.count < 64 * 1024 { try await Task.sleep(for: .milliseconds(1)) }
        try await Task.sleep(for: .milliseconds(100))
        #expect(received.count == 64 * 1024)
        busy.signal()
        try await response.value
        #expect(received.count == 100 * 16 * 1024)
        try await group.shutdownGracefully()
    }
}
