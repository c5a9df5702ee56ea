import HTTPTypes
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOPosix
import Synchronization

@testable import HTTPTransport

/// HTTP/2 connections without TLS, and a responder that answers as the path says.
final class HTTP2TestServer: Sendable {
    /// The responders that have not ended.
    final class Running: Sendable {
        private let counter = Mutex(0)

        var count: Int { counter.withLock { $0 } }

        fileprivate func add(_ change: Int) { counter.withLock { $0 += change } }
    }

    let port: Int
    let running = Running()
    let metrics = ConnectionMetrics()
    private let task: Task<Void, any Error>

    /// Creates a server.
    ///
    /// - Parameter exempt: addresses without limits on connections.
    init(_ limits: HTTPLimits, exempt: [AddressList] = []) async throws {
        let logger = Logger(label: "http2")
        let connection = HTTP2Connection(
            responder: { [running] request, writer, channel in
                running.add(1)
                defer { running.add(-1) }
                try await Self.respond(to: request, writer, channel)
            }, limits: limits)
        let limiter = ConnectionLimiter(limits, exempt: exempt, metrics: metrics, logger: logger)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel -> EventLoopFuture<HTTP2Connection.Value> in
                do {
                    try channel.pipeline.syncOperations.addHandler(ConnectionTimeoutHandler(limits, limiter))
                } catch {
                    return channel.eventLoop.makeFailedFuture(error)
                }
                return connection.setup(channel: channel, logger: logger)
            }
        port = server.channel.localAddress?.port ?? 0
        task = Task {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await value in connections {
                        group.addTask { await connection.handle(value: value, logger: logger) }
                    }
                }
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Answers `/endless` with chunks of 16 KiB, `/whole` with 100,000 bytes in one piece, and all else after the body.
    private static func respond(
        to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel
    ) async throws {
        switch request.head.path {
        case "/endless":
            var body = try await writer.writeHead(HTTPResponse(status: .ok))
            while true {
                try await body.write(ByteBuffer(repeating: 0x20, count: 16 * 1024))
                // Or the loop could run far ahead of its client: see `StreamWriter`.
                try await channel.eventLoop.submit {}.get()
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
