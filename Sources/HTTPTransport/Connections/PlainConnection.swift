import HummingbirdCore
import Logging
import NIOCore
import Tuning

/// HTTP/1.1 over a bare connection.
struct PlainConnection: ServerChildChannel {
    let http1: HTTP1Connection
    let connectionLimiter: ConnectionLimiter

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Connection.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionTimeoutHandler(http1.limits, connectionLimiter))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http1.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Connection.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
            await http1.handle(value: value, logger: logger)
        }
    }
}
