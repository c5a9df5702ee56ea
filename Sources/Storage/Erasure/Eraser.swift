import AfterpushWire
package import Ingest
package import Postgres
import SQLFiles

/// Erases devices: deletes their data, makes their deliveries anonymous, and refuses their events from then on.
///
/// Jobs are rows in the database. Each step is one transaction, which any collector can do.
package struct Eraser: Sendable {
    /// What came of a step.
    package enum Step: String, Sendable {
        /// There is no job.
        case idle
        /// Another one is at it.
        case busy
        /// Batches have to be merged first, or a moment to pass.
        case waiting
        /// Devices have to be found of which only the hashes are known.
        case search
        case working
    }

    private let worker: ConnectionPool
    private let owner: ConnectionPool

    /// Deliveries erased in one step.
    private static let deliveries: Int32 = 200

    /// - Parameters:
    ///   - worker: of the role that writes deliveries and rollups.
    ///   - owner: of the owner, whose statements may take long.
    package init(worker: ConnectionPool, owner: ConnectionPool) {
        self.worker = worker
        self.owner = owner
    }

    /// Suppresses a device and asks for its erasure; once more if that was done before.
    package func request(_ device: String, app id: Int32) async throws -> ErasureJob {
        try await worker.withConnection { connection in
            _ = try await connection.query(SQLFiles.callRequestErasure.text, [.int4(id), .text(device)])
        }
        guard let job = try await job(device, app: id) else { throw RegistryError.noApp }
        return job
    }

    /// Returns the progress of a device's erasure; nil if none was requested.
    package func job(_ device: String, app id: Int32) async throws -> ErasureJob? {
        try await worker.withConnection { connection in
            let rows = try await connection.query(SQLFiles.findErasure.text, [.int4(id), .text(device)])
            return try rows.first.map(Self.job)
        }
    }

    /// Does the next step of whatever waits.
    package func step() async throws -> Step {
        let step = try await worker.withConnection { connection in
            try await connection.transaction { connection in
                // While it waits for those who store, others wait for it.
                try connection.execute("set local lock_timeout = '1s'")
                let rows = try connection.query(SQLFiles.callRunErasureStep.text, [.int4(Self.deliveries)])
                return try rows.first?.decode(String.self, column: 0)
            }
        }
        return step.flatMap(Step.init) ?? .idle
    }

    /// Finds the devices of jobs that only know a hash; reads all there is, which may take minutes.
    package func search() async throws {
        try await owner.withConnection { connection in
            _ = try await connection.query(SQLFiles.callFindErasedDevices.text)
        }
    }

    private static func job(_ row: Row) throws -> ErasureJob {
        let (requested, finished, events, replies, deliveries, rejected) = try row.decode(
            Postgres.Timestamp.self, Postgres.Timestamp?.self, Int64.self, Int64.self, Int64.self, Int64.self)
        return ErasureJob(
            requestedAt: AfterpushWire.Timestamp(microseconds: requested.microseconds),
            finishedAt: finished.map { AfterpushWire.Timestamp(microseconds: $0.microseconds) },
            events: events, replies: replies, deliveries: deliveries, rejected: rejected)
    }
}
