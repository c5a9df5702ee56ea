import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP/2 connection whose frames a test sends itself, at any pace and with any windows, which no client library
/// allows. It opens windows only when the test says so.
package final class RawHTTP2Connection: Sendable {
    /// What has been received so far, by the streams' numbers.
    package struct Received: Sendable {
        /// The streams whose response has begun with the status 200.
        package var successes: Set<Int> = []
        /// The bytes of bodies.
        package var bytes: [Int: Int] = [:]
        package var ended: Set<Int> = []
        /// The error codes of RST_STREAM.
        package var resets: [Int: Int] = [:]
        /// The error code of GOAWAY.
        package var goAway: Int?
        package var isClosed = false
    }

    private final class Receiver: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let received = Mutex(Received())
        private let unread = Mutex(ByteBuffer())

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            unread.withLock { unread in
                unread.writeBuffer(&bytes)
                while let frame = Self.frame(&unread) { received.withLock { $0.add(frame) } }
                unread.discardReadBytes()
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
    package init(port: Int, isSecure: Bool, initialWindow: Int? = 65_535) async throws {
        let receiver = Receiver()
        let tls = isSecure ? try Self.tls() : nil
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    try pipeline.addHandler(receiver)
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
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

    private static func tls() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["h2"]
        return try NIOSSLContext(configuration: configuration)
    }
}

extension RawHTTP2Connection.Received {
    fileprivate mutating func add(_ frame: RawHTTP2Connection.Frame) {
        switch frame.type {
        case 0: bytes[frame.stream, default: 0] += frame.payload.count
        // The status 200 is an entry of HPACK's static table.
        case 1: if frame.payload.first == 0x88 { successes.insert(frame.stream) }
        case 3: resets[frame.stream] = frame.payload.reduce(0) { $0 << 8 | Int($1) }
        case 7: goAway = frame.payload.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        default: return
        }
        if frame.type <= 1, frame.flags & HTTP2Bytes.endStream != 0 { ended.insert(frame.stream) }
    }
}
