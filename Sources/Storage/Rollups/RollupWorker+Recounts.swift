import Logging
import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

extension RollupWorker {
    /// Takes a step for the next app whose conversions are to be recounted.
    ///
    /// - Returns: Whether a step was taken.
    func recountNext(_ turns: inout RecountTurns) async -> Bool {
        let start = ContinuousClock.now
        let (lastApp, pausing) = (turns.lastApp, turns.pausing(start))
        let app: MergeTurns.App?
        do {
            app = try await cancelWhenGracefulShutdown {
                try await withTimeout(.seconds(10)) { try await self.nextRecount(after: lastApp, except: pausing) }
            }
        } catch {
            // A merge fails, too, and is logged.
            app = nil
        }
        guard let app else {
            turns.foundNone(.now)
            return false
        }
        let deliveries = turns.deliveries(of: app.id)
        do {
            let hasMore = try await cancelWhenGracefulShutdown {
                try await withTimeout(RecountTurns.timeout + .seconds(2)) {
                    try await self.recountStep(of: app.id, deliveries: deliveries)
                }
            }
            guard hasMore != nil else {
                turns.skipped(app.id, .now)
                return false
            }
            turns.recounted(app.id, in: start.duration(to: .now), .now)
            return true
        } catch {
            if Task.isShuttingDownGracefully { return false }
            turns.failed(app.id, after: start.duration(to: .now), .now)
            noteRecountFailure(app, error)
            return false
        }
    }

    private func nextRecount(after app: Int32, except others: [Int32]) async throws -> MergeTurns.App? {
        try await pool.withConnection { connection in
            let rows = try await connection.query(
                SQLFiles.nextRecount.text, [.int4(app), .int4Array(others)], prepared: true)
            return try rows.first.map { row in
                let (id, name) = try row.decode(Int32.self, String.self)
                return MergeTurns.App(id: id, name: name)
            }
        }
    }

    /// Takes a step that reads about so many deliveries.
    ///
    /// - Returns: Whether there is more to recount; nil if no step was taken, because another worker is merging or a
    ///   seal waits for other recounts.
    private func recountStep(of app: Int32, deliveries: Int) async throws -> Bool? {
        try await pool.withConnection { connection in
            try await connection.transaction { connection in
                // Merges wait for it, so PostgreSQL has to end it, too, once the worker has stopped waiting for it.
                try connection.limitStatements(to: RecountTurns.timeout)
                let rows = try connection.query(
                    SQLFiles.callRecountStep.text, [.int4(app), .int4(Int32(deliveries))])
                return try rows.first?.decode(Bool?.self, column: 0) ?? nil
            }
        }
    }

    /// Takes a step, for those who don't run the worker; if it takes too long, it takes a smaller one.
    private func recountStep(of app: Int32, _ turns: inout RecountTurns) async throws -> Bool? {
        while true {
            let start = ContinuousClock.now
            do {
                let hasMore = try await recountStep(of: app, deliveries: turns.deliveries(of: app))
                if hasMore != nil { turns.recounted(app, in: start.duration(to: .now), .now) }
                return hasMore
            } catch let error as PostgresError where error.isCancelled && !Task.isCancelled {
                guard turns.canShrink(app) else { throw error }
                turns.failed(app, after: start.duration(to: .now), .now)
            }
        }
    }

    /// Takes a step for each app whose conversions are to be recounted, for those who don't run the worker.
    ///
    /// An app whose recount fails does not keep those of others from theirs.
    package func recountOnce() async throws {
        var apps: [Int32] = []
        var turns = RecountTurns()
        while let app = try await nextRecount(after: apps.last ?? 0, except: apps) {
            apps.append(app.id)
            do {
                _ = try await recountStep(of: app.id, &turns)
            } catch let error as PostgresError where !error.isConnectionLoss {
                noteRecountFailure(app, error)
            }
        }
    }

    private func noteRecountFailure(_ app: MergeTurns.App, _ error: any Error) {
        logger.warning(
            "conversions could not be recounted after a window was changed; reports count by the old one",
            metadata: ["error": "\(error)", "app": "\(app.name)"])
    }

    /// Recounts conversions by all windows of an app's campaigns that were changed.
    package func recount(_ app: Int32) async throws {
        var turns = RecountTurns()
        while true {
            switch try await recountStep(of: app, &turns) {
            case true?: continue
            case false?: return
            case nil: try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
