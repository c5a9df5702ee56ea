import Logging
import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

extension RollupWorker {
    /// How many apps are merged on their own after a slow run, at most.
    private static let mostSuspects: Int32 = 200

    /// Merges the apps that are merged apart, until shutdown.
    func workApart() async {
        var turns = ApartTurns(maximum: configuration.eventsPerRun)
        while !Task.isCancelled && !Task.isShuttingDownGracefully {
            // If the database can't be reached, merges of the others fail, too, and are logged.
            if let apps = try? await inTime({ try await self.appsApart() }) { turns.update(apps, .now) }
            guard let run = turns.next(.now), case .one(let app) = run.apps else {
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: self.configuration.pause) }
                continue
            }
            let start = ContinuousClock.now
            do {
                let outcome = try await rollUpUnlessStopped(run, givingWay: true)
                if turns.merged(app, outcome, .now) { await mergeTogether(app) }
            } catch {
                if Task.isShuttingDownGracefully { return }
                noteFailure(run, error)
                turns.failed(app, after: start.duration(to: .now), .now)
            }
        }
    }

    /// The apps that are merged apart.
    func appsApart() async throws -> [MergeTurns.App] { try await apps(SQLFiles.listAppsApart, []) }

    /// The apps that have batches to merge, and are merged together with others, the longest waiting first.
    func waitingApps() async -> [MergeTurns.App] {
        (try? await inTime { try await self.apps(SQLFiles.findWaitingApps, [.int4(Self.mostSuspects)]) }) ?? []
    }

    /// Lets an app be merged apart from now on.
    func mergeApart(_ app: MergeTurns.App) async {
        await change(SQLFiles.callMergeApart, app) {
            logger.warning(
                "an app is merged apart, because its merges are slow or fail; only its reports lag",
                metadata: ["app": "\(app.name)"])
        }
    }

    private func mergeTogether(_ app: MergeTurns.App) async {
        await change(SQLFiles.mergeTogether, app) {
            logger.info("an app is merged with the others again", metadata: ["app": "\(app.name)"])
        }
    }

    /// Runs a statement with an app. If it fails, the next slow or short run of the app leads to it again.
    private func change(_ statement: SQLFile, _ app: MergeTurns.App, log: () -> Void) async {
        do {
            try await inTime {
                try await self.pool.withConnection { connection in
                    _ = try await connection.query(statement.text, [.int4(app.id)])
                }
            }
            log()
        } catch {
            logger.debug("how an app is merged could not be changed", metadata: ["error": "\(error)"])
        }
    }

    private func apps(_ statement: SQLFile, _ parameters: [Parameter]) async throws -> [MergeTurns.App] {
        try await pool.withConnection { connection in
            try await connection.query(statement.text, parameters, prepared: true).map { row in
                let (id, name) = try row.decode(Int32.self, String.self)
                return MergeTurns.App(id: id, name: name)
            }
        }
    }

    func inTime<Value: Sendable>(_ body: @Sendable @escaping () async throws -> Value) async throws -> Value {
        try await cancelWhenGracefulShutdown { try await withTimeout(.seconds(10)) { try await body() } }
    }
}
