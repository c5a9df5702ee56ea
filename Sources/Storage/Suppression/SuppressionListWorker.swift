import AfterpushWire
package import Events
package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Synchronization
import Timing

/// Keeps the suppression list current: reads it from the database twice a second, and writes it next to the spool.
///
/// The two lists are held together. What only the database has is added to the file; what only the file has was erased
/// after the backup that the database was restored from. It is suppressed and erased again.
package actor SuppressionListWorker: Service {
    private let pool: ConnectionPool
    private let restoring: ConnectionPool
    private let file: SuppressionFile?
    private let logger: Logger
    private nonisolated let latest = Mutex(
        (suppressionList: SuppressionList(), at: ContinuousClock.now - .seconds(3_600)))
    /// The list is known up to here.
    private var last: Int64 = 0
    private var unwritten: [SuppressionFile.Entry] = []
    /// Those that the database was asked to take back already; it may have no such app.
    private var restored: Set<SuppressionFile.Entry> = []

    private static let pause: Duration = .milliseconds(500)
    /// Entries read at once.
    private static let limit = 10_000

    /// - Parameters:
    ///   - pool: of the role that takes events.
    ///   - restoring: of the role that writes deliveries and rollups.
    ///   - file: nil where there is no spool.
    package init(pool: ConnectionPool, restoring: ConnectionPool, file: SuppressionFile?, logger: Logger) {
        self.pool = pool
        self.restoring = restoring
        self.file = file
        self.logger = logger
    }

    /// As far as it is known.
    package nonisolated var current: SuppressionList { latest.withLock { $0.suppressionList } }

    /// Returns the list as of a few seconds ago at most; reads it if that was longer ago.
    package nonisolated func recent() async throws -> SuppressionList {
        let (suppressionList, at) = latest.withLock { $0 }
        if at.duration(to: .now) < .seconds(5) { return suppressionList }
        try await refresh()
        return current
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await withTimeout(.seconds(10)) { try await self.refresh() }
                } catch {
                    self.logger.debug("could not read the suppression list", metadata: ["error": "\(error)"])
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Brings the database's list and the file together, and learns what is new of both.
    package func refresh() async throws {
        if self.last == 0 { try await self.restore() }
        while try await self.read() { try await self.restore() }
        guard let file, !self.unwritten.isEmpty else { return }
        do {
            try file.add(self.unwritten)
            self.unwritten = []
        } catch {
            self.logger.error("could not write the suppression file next to the spool", metadata: ["error": "\(error)"])
            throw error
        }
    }

    /// - Returns: whether the database is not the one that was asked before: its list lacks what was read of it.
    private func read() async throws -> Bool {
        while true {
            let after = self.last
            let rows = try await self.pool.withConnection { connection in
                try await connection.query(
                    SQLFiles.readSuppressionList.text, [.int8(after), .int8(Self.limit)], prepared: true)
            }
            // Another call may have read the same meanwhile; reading it twice changes nothing.
            guard let first = rows.first else { return false }
            let (oldest, knows) = try first.decode(Postgres.Timestamp.self, Bool.self)
            if !knows {
                self.last = 0
                self.restored = []
                return true
            }
            var suppressionList = self.current
            suppressionList.oldest =
                oldest.microseconds == .min ? nil : AfterpushWire.Timestamp(microseconds: oldest.microseconds)
            for row in rows where !row.isNull(2) {
                let id = try row.decode(Int64.self, column: 2)
                let app = try row.decode(Int32.self, column: 3)
                let key = DeviceKey(row.bytes(6) ?? [])
                let hash = row.bytes(5) ?? []
                suppressionList.add(hash, by: key, app: app)
                if self.file != nil {
                    self.unwritten.append(.init(app: try row.decode(String.self, column: 4), key: key, hash: hash))
                }
                self.last = max(self.last, id)
            }
            self.latest.withLock { $0 = (suppressionList, .now) }
            if rows.count < Self.limit { return false }
        }
    }

    /// Gives the database what only the file has.
    private func restore() async throws {
        guard let entries = try self.file?.entries().subtracting(self.restored), !entries.isEmpty else { return }
        let news = try await self.restoring.withConnection { connection in
            try await connection.transaction { connection in
                var news = 0
                for entry in entries {
                    let rows = try connection.query(
                        SQLFiles.callRestoreSuppression.text,
                        [.text(entry.app), .bytea(entry.hash), .bytea(entry.key.bytes)], prepared: true)
                    if try rows.first?.decode(Bool?.self, column: 0) == true { news += 1 }
                }
                return news
            }
        }
        self.restored.formUnion(entries)
        if news > 0 {
            self.logger.warning(
                "erased devices are in the database again, probably after a restore; they will be erased again",
                metadata: ["devices": "\(news)"])
        }
    }
}
