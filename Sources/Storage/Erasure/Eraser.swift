import AfterpushWire
import Events
import Executors
package import Ingest
package import Postgres
import SQLFiles

/// Erases devices: deletes their data, makes their deliveries anonymous, and refuses their later events.
///
/// Jobs are rows in the database. Each step is one transaction, and any collector can run it.
package struct Eraser: Sendable {
    /// The result of a step.
    package enum Step: String, Sendable {
        /// There is no job.
        case idle
        /// Another transaction holds the lock of the rollup worker.
        case busy
        /// Batches have to be merged first, or some time has to pass.
        case waiting
        /// The devices of jobs that have only a hash need to be found, with `search`.
        case search
        /// The step erased data.
        case working
    }

    private let worker: ConnectionPool
    private let owner: ConnectionPool

    /// The number of deliveries that one step erases.
    private static let deliveries: Int32 = 200
    /// How long a part of a check waits for its app's other uses of connections. It is less than the time of a claim.
    private static let checkWait: Duration = .seconds(20)
    /// How long a search waits for retention, which has the same connection.
    private static let searchWait: Duration = .seconds(600)

    /// Creates an eraser.
    ///
    /// - Parameters:
    ///   - worker: The pool for work in the background, with the worker role.
    ///   - owner: The pool of the owner role, whose statements have no time limit. Requests and checks take their app's
    ///     connection, and a search takes that of `Database.backgroundOwner`.
    package init(worker: ConnectionPool, owner: ConnectionPool) {
        self.worker = worker
        self.owner = owner
    }

    /// Adds a device to the suppression list and requests its erasure, again if it was erased before.
    package func request(_ device: String, app id: Int32) async throws -> ErasureJob {
        try await owner.withConnection(of: id) { connection in
            _ = try await connection.query(SQLFiles.callRequestErasure.text, [.int4(id), .text(device)])
        }
        guard let job = try await job(device, app: id) else { throw RegistryError.noApp }
        return job
    }

    /// Returns the progress of a device's erasure, or `nil` if none was requested.
    package func job(_ device: String, app id: Int32) async throws -> ErasureJob? {
        try await owner.withConnection(of: id) { connection in
            let rows = try await connection.query(SQLFiles.findErasure.text, [.int4(id), .text(device)])
            return try rows.first.map(Self.job)
        }
    }

    /// Runs the next step of a waiting job.
    package func step() async throws -> Step {
        let step = try await worker.withConnection { connection in
            try await connection.transaction { connection in
                // While a step waits for the lock of a running ingest transaction, later ones wait for the step.
                try connection.execute("set local lock_timeout = '1s'")
                let rows = try connection.query(SQLFiles.callRunErasureStep.text, [.int4(Self.deliveries)])
                return try rows.first?.decode(String.self, column: 0)
            }
        }
        // Rejected events need to be checked, which the database leaves to the collector.
        guard step == "check" else { return step.flatMap(Step.init) ?? .idle }
        return try await check() ? .working : .waiting
    }

    /// Deletes the next rejected events of an app that mention a device of its jobs.
    ///
    /// - Returns: Whether there were any that no other collector checks.
    private func check() async throws -> Bool {
        // Of which app is not known yet. It takes some milliseconds.
        let rows = try await owner.withConnection { connection in
            try await connection.query(SQLFiles.nextRejectedPage.text, [.int8(RejectedPage.events)])
        }
        guard let first = rows.first else { return false }
        let (app, checked, hashes, devices) = try first.decode(Int32.self, Int64.self, [Bytes].self, [String].self)
        var page = RejectedPage()
        for row in rows { page.add(try row.decode(Int64.self, column: 4), try row.decode(String?.self, column: 5)) }
        for part in await page.parts(mentioning: devices) {
            let isLast = part.last == page.last
            _ = try await owner.withConnection(of: app, within: Self.checkWait) { connection in
                try await connection.execute(
                    SQLFiles.eraseRejectedPage.text,
                    [
                        .int4(app), .int8(checked), .int8(part.last), .byteaArray(hashes.map(\.bytes)),
                        .int8Array(part.ids), .bool(isLast),
                    ])
            }
        }
        return true
    }

    /// Finds the devices of jobs that have only a hash. It hashes every stored device, which can take minutes.
    package func search() async throws {
        let rows = try await withSearchConnection { connection in
            try await connection.query(SQLFiles.searchedHashes.text)
        }
        var erased = SuppressionList()
        var searched: [Int32: Set<[UInt8]>] = [:]
        for row in rows {
            let (app, hash, key) = try row.decode(Int32.self, Bytes.self, Bytes.self)
            erased.add(hash.bytes, by: DeviceKey(key.bytes), app: app)
            searched[app, default: []].insert(hash.bytes)
        }
        let jobs = searched.flatMap { app, hashes in hashes.map { (app: app, hash: $0) } }
        var named: [(app: Int32, id: String)] = []
        for app in searched.keys { named += try await devices(named: erased, app: app).map { (app: app, id: $0) } }
        try await withSearchConnection { connection in
            _ = try await connection.query(
                SQLFiles.callFindErasedDevices.text,
                [
                    .int4Array(jobs.map(\.app)), .byteaArray(jobs.map(\.hash)), .int4Array(named.map(\.app)),
                    .textArray(named.map(\.id)),
                ])
        }
    }

    /// Returns the devices of a list that an app's rejected events name. It reads the events a page at a time.
    private func devices(named erased: SuppressionList, app: Int32) async throws -> Set<String> {
        var named: Set<String> = []
        var last: Int64 = 0
        while true {
            let rows = try await withSearchConnection { connection in
                try await connection.query(
                    SQLFiles.rejectedPage.text, [.int4(app), .int8(last), .int8(RejectedPage.events)])
            }
            guard !rows.isEmpty else { return named }
            var events: [String] = []
            for row in rows {
                let (id, text) = try row.decode(Int64.self, String?.self)
                last = id
                if let text { events.append(text) }
            }
            let found = await withTaskExecutorPreference(BusyExecutor.shared) { [events] in
                events.map { erased.devices(namedIn: $0, app: app) }
            }
            for ids in found { named.formUnion(ids) }
        }
    }

    /// Lends the connection of work in the background, so that requests have the other one.
    private nonisolated(nonsending) func withSearchConnection<T>(
        _ body: (Connection) async throws -> T
    ) async throws -> T {
        try await owner.withConnection(of: Database.backgroundOwner, within: Self.searchWait, body)
    }

    private static func job(_ row: Row) throws -> ErasureJob {
        let (requested, finished, events, replies, deliveries, rejected, names, isUnsearched) = try row.decode(
            Postgres.Timestamp.self, Postgres.Timestamp?.self, Int64.self, Int64.self, Int64.self, Int64.self,
            Int64.self, Bool.self)
        return ErasureJob(
            requestedAt: AfterpushWire.Timestamp(microseconds: requested.microseconds),
            finishedAt: finished.map { AfterpushWire.Timestamp(microseconds: $0.microseconds) },
            events: events, replies: replies, deliveries: deliveries, rejected: rejected, names: names,
            leavesUnsearched: isUnsearched)
    }
}
