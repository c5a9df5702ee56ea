import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A connection over TLS or plain TCP that sends any bytes at any pace, which no client library allows.
package final class RawTLSConnection: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private final class Receiver: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let state = Mutex(State())

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            change { $0.bytes += unwrapInboundIn(data).readableBytesView }
        }

        func channelInactive(context: ChannelHandlerContext) {
            change { $0.isClosed = true }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        /// Changes what was received, and wakes whoever waits for that.
        func change(_ body: (inout State) -> Void) {
            let waiter = state.withLock { state in
                body(&state)
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
    }

    private let channel: any Channel
    private let receiver: Receiver

    /// Connects to a port of the loopback interface.
    ///
    /// - Parameters:
    ///   - isSecure: whether to use TLS, with HTTP/1.1.
    ///   - source: the client's address.
    ///   - receiveBuffer: the size of the system's receive buffer in bytes; `nil` keeps the default.
    ///   - pieces: the most bytes that `read` takes; `nil` reads everything as it comes.
    package init(
        port: Int, isSecure: Bool = true, source: String = "127.0.0.1", receiveBuffer: Int? = nil, pieces: Int? = nil
    ) async throws {
        let receiver = Receiver()
        channel = try await ClientBootstrap.loopback(
            port: port, source: source, tls: isSecure ? ["http/1.1"] : nil, receiveBuffer: receiveBuffer, pieces: pieces
        ) { receiver }
        self.receiver = receiver
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Sends bytes, and returns when the system has accepted them.
    package func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    package func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Closes this side, and goes on reading.
    package func closeOutput() async throws {
        try await channel.close(mode: .output).get()
    }

    /// Stops or resumes reading. It must not stop before something was sent, because the TLS handshake has to be read.
    package func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
    }

    /// Reads one piece, if the connection was made to read in pieces.
    package func read() {
        channel.read()
    }

    /// Sends text, or drops it if the connection is closed, without waiting for the system to accept it.
    package func post(_ text: String) {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    /// Reads until the other side closes or `isEnough` returns true; returns nil if neither happens in time.
    package func receive(
        timeout: Duration = .seconds(15), until isEnough: (String) -> Bool = { _ in false }
    ) async -> String? {
        let deadline = ContinuousClock.now + timeout
        while true {
            let (text, isClosed) = receiver.state.withLock { (String(decoding: $0.bytes, as: UTF8.self), $0.isClosed) }
            if isClosed || isEnough(text) { return text }
            guard ContinuousClock.now < deadline else { return nil }
            await waitForMore(than: text.utf8.count, until: deadline)
        }
    }

    /// Everything that was received so far.
    package var received: String {
        receiver.state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// The number of bytes that were received so far.
    package var receivedBytes: Int { receiver.state.withLock { $0.bytes.count } }

    /// Forgets what was received so far.
    package func forget() {
        receiver.state.withLock { $0.bytes = [] }
    }

    package var isClosed: Bool { receiver.state.withLock { $0.isClosed } }

    private func waitForMore(than count: Int, until deadline: ContinuousClock.Instant) async {
        let time = TimeAmount(ContinuousClock.now.duration(to: deadline))
        let timer = channel.eventLoop.scheduleTask(in: time) { [receiver] in receiver.change { _ in } }
        await withCheckedContinuation { continuation in
            let isReady = receiver.state.withLock { state in
                if state.bytes.count > count || state.isClosed || ContinuousClock.now >= deadline { return true }
                state.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        timer.cancel()
    }
}

extension ClientBootstrap {
    /// Connects to a port of the loopback interface.
    ///
    /// - Parameters:
    ///   - tls: the protocols that are offered; `nil` uses no TLS.
    ///   - receiver: makes the handler that receives the bytes.
    static func loopback(
        port: Int, source: String, tls: [String]?, receiveBuffer: Int? = nil, pieces: Int? = nil,
        _ receiver: @escaping @Sendable () -> any ChannelInboundHandler & Sendable
    ) async throws -> any Channel {
        let tls = try tls.map { protocols in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            configuration.applicationProtocols = protocols
            return try NIOSSLContext(configuration: configuration)
        }
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(to: try SocketAddress(ipAddress: source, port: 0))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: nil)) }
                    try pipeline.addHandler(receiver())
                }
            }
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
        }
        if let pieces {
            bootstrap =
                bootstrap
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: pieces))
        }
        return try await bootstrap.connect(host: "127.0.0.1", port: port).get()
    }
}
