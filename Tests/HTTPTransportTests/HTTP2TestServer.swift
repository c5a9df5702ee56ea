import HTTPTypes
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
import Synchronization

@testable import HTTPTransport

/// HTTP/2 or HTTP/1.1 connections without TLS, and a responder that answers as the path says.
final class HTTP2TestServer: Sendable {
    enum Version {
        case http1, http2
    }

    /// The responders that have not ended.
    final class Running: Sendable {
        private let counter = Mutex((now: 0, most: 0, begun: 0))

        var count: Int { counter.withLock { $0.now } }
        /// The most that ran at the same time.
        var most: Int { counter.withLock { $0.most } }
        /// Those that have begun.
        var begun: Int { counter.withLock { $0.begun } }
        /// Those that have ended.
        var ended: Int { counter.withLock { $0.begun - $0.now } }

        fileprivate func add(_ change: Int) {
            counter.withLock { counter in
                counter.now += change
                counter.most = max(counter.most, counter.now)
                counter.begun += max(0, change)
            }
        }
    }

    let port: Int
    let running = Running()
    let metrics = ConnectionMetrics()
    let limiter: ConnectionLimiter
    private let task: Task<Void, any Error>

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - exempt: addresses without limits on connections.
    ///   - version: the version of HTTP that is spoken.
    ///   - places: the requests of an address that are worked on at the same time.
    init(
        _ limits: HTTPLimits, exempt: [AddressList] = [], version: Version = .http2, places: Int = 4
    ) async throws {
        let logger = Logger(label: "http")
        let responder: HTTPChannelHandler.Responder = { [running] request, writer, channel in
            running.add(1)
            defer { running.add(-1) }
            try await Self.respond(to: request, writer, channel)
        }
        let limiter = ConnectionLimiter(limits, exempt: exempt, metrics: metrics, logger: logger)
        self.limiter = limiter
        let turns = RequestTurns(places: places, exempt: exempt)
        (port, task) =
            switch version {
            case .http1:
                try await Self.serve(
                    PlainConnection(
                        http1: HTTP1Connection(responder: responder, limits: limits, isSecure: false, turns: turns),
                        connectionLimiter: limiter), logger)
            case .http2:
                try await Self.serve(
                    PlainHTTP2Connection(
                        http2: HTTP2Connection(
                            responder: responder, limits: limits,
                            abandoned: AbandonedRequests(exempt: exempt, limiter: limiter),
                            shares: StreamShares(limits, exempt: exempt), turns: turns),
                        limits: limits, limiter: limiter),
                    logger)
            }
    }

    private static func serve<Connection: ServerChildChannel>(
        _ connection: Connection, _ logger: Logger
    ) async throws -> (port: Int, task: Task<Void, any Error>) {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            // As Hummingbird does.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { channel in connection.setup(channel: channel, logger: logger) }
        let task = Task {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await value in connections {
                        group.addTask { await connection.handle(value: value, logger: logger) }
                    }
                }
            }
        }
        return (server.channel.localAddress?.port ?? 0, task)
    }

    deinit {
        task.cancel()
    }

    /// Answers `/slow` after two seconds, without looking at its client, `/work` after five milliseconds of computing when
    /// the body has arrived, `/endless` with chunks of 16 KiB, `/live` with 100 bytes every 100 milliseconds, `/whole` with
    /// 100,000 bytes in one piece, and all else after the body.
    private static func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        if RequestReadError(request.head) != nil {
            return try await writer.writeHead(HTTPResponse(status: .badRequest)).finish(nil)
        }
        switch request.head.path {
        case "/slow":
            try await Task.sleep(for: .seconds(2))
            try await writer.writeHead(HTTPResponse(status: .ok)).finish(nil)
        case "/work":
            for try await _ in request.body {}
            let end = ContinuousClock.now + .milliseconds(5)
            while ContinuousClock.now < end {}
            try await writer.writeHead(HTTPResponse(status: .ok)).finish(nil)
        case "/endless":
            var body = try await writer.writeHead(HTTPResponse(status: .ok))
            while true {
                try await body.write(ByteBuffer(repeating: 0x20, count: 16 * 1024))
                // Or the loop could run far ahead of its client: see `StreamWriter`.
                try await channel.eventLoop.submit {}.get()
            }
        case "/live":
            var body = try await writer.writeHead(HTTPResponse(status: .ok))
            while true {
                try await body.write(ByteBuffer(repeating: 0x20, count: 100))
                try await Task.sleep(for: .milliseconds(100))
            }
        case "/whole":
            var body = try await writer.writeHead(HTTPResponse(status: .ok))
            try await body.write(ByteBuffer(repeating: 0x20, count: 100_000))
            try await body.finish(nil)
        default:
            for try await _ in request.body {}
            try await writer.writeHead(HTTPResponse(status: .ok)).finish(nil)
        }
    }
}

/// An HTTP/2 connection that begins without TLS, by agreement.
private struct PlainHTTP2Connection: ServerChildChannel {
    let http2: HTTP2Connection
    let limits: HTTPLimits
    let limiter: ConnectionLimiter

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP2Connection.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionTimeoutHandler(limits, limiter))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http2.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP2Connection.Value, logger: Logger) async {
        await http2.handle(value: value, logger: logger)
    }
}

extension HTTPLimits {
    /// Returns limits of which only those that a test changes are short.
    static func long(_ change: (inout HTTPLimits) -> Void = { _ in }) -> HTTPLimits {
        var limits = HTTPLimits()
        limits.headerTimeout = .seconds(60)
        limits.bodyTimeout = .seconds(60)
        limits.bodyGrace = .seconds(60)
        limits.writeTimeout = .seconds(60)
        change(&limits)
        return limits
    }
}
