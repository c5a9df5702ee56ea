import Foundation
import Logging
import Server
import ServiceLifecycle
import Spool
import Storage

/// Broadcasts new events once per second, with one query for each app that has listeners.
struct LiveService: Service {
    let broadcaster: LiveBroadcaster
    let feed: LiveFeed
    let breaker: CircuitBreaker
    let logger: Logger

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await cancelWhenGracefulShutdown {
                var next = ContinuousClock.now
                while !Task.isCancelled {
                    await self.broadcastAll()
                    next = max(next + .seconds(1), .now)
                    try? await Task.sleep(until: next, clock: .continuous)
                }
            }
        } onCancelOrGracefulShutdown: {
            // Immediately, even during a query, because the server waits for its streams to end.
            broadcaster.close()
        }
    }

    private func broadcastAll() async {
        let apps = broadcaster.apps
        await feed.keep(apps)
        await withTaskGroup { group in
            for app in apps { group.addTask { await self.broadcast(app) } }
        }
    }

    private func broadcast(_ app: Int32) async {
        do {
            let summary = try await breaker.run(within: .seconds(3)) { try await feed.summary(ofApp: app) }
            // Numbered by time, so that numbers grow across collectors and restarts.
            let number = Int64(Date().timeIntervalSince1970 * 1_000)
            broadcaster.post("id: \(number)\ndata: \(summary)\n\n", app: app)
        } catch {
            // A comment of the stream format: the stream is alive, but there is no summary.
            broadcaster.post(": the database is unavailable\n\n", app: app)
            logger.debug("could not read live events", metadata: ["error": "\(error)"])
        }
    }
}
