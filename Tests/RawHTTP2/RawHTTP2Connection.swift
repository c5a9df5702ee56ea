import NIOCore
import NIOHPACK
import NIOPosix
import Synchronization

/// An HTTP/2 connection whose frames a test sends itself, at any pace and with any windows, which no client library
/// allows. It opens windows only when the test says so.
package final class RawHTTP2Connection: Sendable {
    /// What has been received so far, by the streams' numbers.
    package struct Received: Sendable {
        /// The statuses of responses that have begun.
        package var statuses: [Int: Int] = [:]
        /// The bytes of bodies.
        package var bytes: [Int: Int] = [:]
        package var ended: Set<Int> = []
        /// The error codes of RST_STREAM.
        package var resets: [Int: Int] = [:]
        /// The bytes by which windows were opened; stream 0 is the connection.
        package var windows: [Int: Int] = [:]
        /// The error code of GOAWAY.
        package var goAway: Int?
        package var isClosed = false

        /// The streams whose response has begun with the status 200.
        package var successes: Set<Int> { Set(statuses.filter { $0.value == 200 }.keys) }
    }

    private final class Receiver: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private struct Unread {
            var bytes = ByteBuffer()
            var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        }

        let received = Mutex(Received())
        private let unread = Mutex(Unread())

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            unread.withLock { unread in
                unread.bytes.writeBuffer(&bytes)
                while let frame = Self.frame(&unread.bytes) {
                    received.withLock { $0.add(frame, &unread.decoder) }
                }
                unread.bytes.discardReadBytes()
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            received.withLock { $0.isClosed = true }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private static func frame(_ bytes: inout ByteBuffer) -> Frame? {
            let start = bytes.readerIndex
            guard let head = bytes.getBytes(at: start, length: 9) else { return nil }
            let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
            guard let payload = bytes.getBytes(at: start + 9, length: length) else { return nil }
            bytes.moveReaderIndex(forwardBy: 9 + length)
            return Frame(
                type: head[3], flags: head[4], stream: head[5...].reduce(0) { $0 << 8 | Int($1) }, payload: payload)
        }
    }

    fileprivate struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: Int
        let payload: [UInt8]
    }

    private let channel: any Channel
    private let receiver: Receiver

    /// Connects to a port of the loopback interface, and sends the preface.
    ///
    /// - Parameters:
    ///   - initialWindow: the bytes that the server can send in each stream; `nil` sends nothing yet.
    ///   - source: the client's address.
    package init(
        port: Int, isSecure: Bool, initialWindow: Int? = 65_535, source: String = "127.0.0.1"
    ) async throws {
        let receiver = Receiver()
        channel = try await ClientBootstrap.loopback(port: port, source: source, tls: isSecure ? ["h2"] : nil) {
            receiver
        }
        self.receiver = receiver
        if let initialWindow { try await send(HTTP2Bytes.preface, HTTP2Bytes.settings(initialWindow: initialWindow)) }
    }

    deinit {
        channel.close(promise: nil)
    }

    package var received: Received { receiver.received.withLock { $0 } }

    /// Sends bytes in one piece.
    package func send(_ pieces: [UInt8]...) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: pieces.joined()))
    }

    /// Returns whether something is received in time.
    package func receives(
        within timeout: Duration, _ isReceived: (Received) -> Bool
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + timeout
        while !isReceived(received) {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// Returns whether the server closes the connection in time.
    package func closes(within timeout: Duration) async throws -> Bool {
        try await receives(within: timeout, \.isClosed)
    }
}

extension RawHTTP2Connection.Received {
    fileprivate mutating func add(_ frame: RawHTTP2Connection.Frame, _ decoder: inout HPACKDecoder) {
        switch frame.type {
        case 0: bytes[frame.stream, default: 0] += frame.payload.count
        case 1:
            var block = ByteBuffer(bytes: frame.payload)
            let fields = try? decoder.decodeHeaders(from: &block)
            // Trailers have no status.
            if let status = fields?.first(name: ":status").flatMap({ Int($0) }) { statuses[frame.stream] = status }
        case 3: resets[frame.stream] = frame.payload.reduce(0) { $0 << 8 | Int($1) }
        case 7: goAway = frame.payload.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        case 8: windows[frame.stream, default: 0] += frame.payload.reduce(0) { $0 << 8 | Int($1) }
        default: return
        }
        if frame.type <= 1, frame.flags & HTTP2Bytes.endStream != 0 { ended.insert(frame.stream) }
    }
}
