import AfterpushWire
package import Events
import Executors
package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
package import Spool
import Synchronization
import Timing

/// Keeps the suppression list current: reads it from the database twice a second, and writes it next to the spool.
///
/// The worker synchronizes the lists. Devices that only the database lists are added to the file, and to those beside the
/// backups. Devices that only a file lists were erased after the backup that the database was restored from, so they are
/// suppressed and erased again.
package actor SuppressionListWorker: Service {
    /// A list beside backups.
    private struct BackupList {
        let file: SuppressionFile
        /// The entries that it may lack.
        var unwritten: [SuppressionFile.Entry] = []
        /// Whether the database has all of it, and it was there. Its disk may be mounted later than this starts.
        var isRestored = false
        var hasWritingFailed = false
        var hasReadingFailed = false
    }

    private let pool: ConnectionPool
    private let restoring: ConnectionPool
    private let file: SuppressionFile?
    private let backups: @Sendable () -> [SuppressionFile]
    private let logger: Logger
    /// Threads of its own, because the files are locked, read and synced to disk.
    private let executor = QueueExecutor(label: "suppression list")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }
    /// The refresh that begins once the present one has ended.
    private var next: Task<Void, any Error>?
    private var present: Task<Void, any Error>?
    private nonisolated let latest = Mutex(
        (suppressionList: SuppressionList(), at: ContinuousClock.now - .seconds(3_600)))
    /// The id of the last entry that was read.
    private var last: Int64 = 0
    private var unwritten: [SuppressionFile.Entry] = []
    private var backupLists: [BackupList] = []
    /// Whether the database has all that this program's own file lists.
    private var hasRestoredOwn = false
    /// The entries that the database has, or that were sent to it, even if it has no such app.
    private var stored: Set<SuppressionFile.Entry> = []

    private static let pause: Duration = .milliseconds(500)
    /// The maximum number of entries that one query reads.
    private static let limit = 10_000

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - pool: The pool of the ingest role.
    ///   - restoring: The pool of the worker role.
    ///   - file: The file next to the spool, or `nil` if there is no spool.
    ///   - backups: Returns the files next to the backups; an empty array while the database is not backed up.
    package init(
        pool: ConnectionPool, restoring: ConnectionPool, file: SuppressionFile?,
        backups: @escaping @Sendable () -> [SuppressionFile] = { [] }, logger: Logger
    ) {
        self.pool = pool
        self.restoring = restoring
        self.file = file
        self.backups = backups
        self.logger = logger
    }

    /// The list as of the last refresh.
    package nonisolated var current: SuppressionList { latest.withLock { $0.suppressionList } }

    /// Returns the list, and reads it first if the last refresh was more than five seconds ago.
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

    /// Synchronizes the database's list and the file, and updates the current list.
    ///
    /// One refresh runs at a time. It is for all calls that came before it began, so many erasures at once take little
    /// more than one.
    package func refresh() async throws {
        let task: Task<Void, any Error>
        if let next {
            task = next
        } else {
            let previous = self.present
            task = Task {
                _ = await previous?.result
                self.present = self.next
                self.next = nil
                try await self.synchronize()
            }
            self.next = task
        }
        try await task.value
    }

    /// Adds all entries that the last refresh has found to another list, and returns when they are synced to disk.
    package func write(to file: SuppressionFile) throws(SpoolError) {
        try file.add(self.stored)
    }

    private func synchronize() async throws {
        let files = self.backups()
        if files != self.backupLists.map(\.file) {
            self.backupLists = files.map { file in
                var list = self.backupLists.first { $0.file == file } ?? BackupList(file: file)
                list.unwritten = []
                return list
            }
            // A new file lacks what was read before.
            self.last = 0
            self.hasRestoredOwn = false
        }
        while try await self.read() {}
        let isRestored = self.hasRestoredOwn && self.backupLists.allSatisfy(\.isRestored)
        if !isRestored, try await self.restore() {
            while try await self.read() {}
        }
        self.backUp()
        guard let file, !self.unwritten.isEmpty else { return }
        do {
            try file.add(self.unwritten)
            self.unwritten = []
        } catch {
            self.logger.error("could not write the suppression file next to the spool", metadata: ["error": "\(error)"])
            throw error
        }
    }

    /// Reads a list beside backups, which has the devices that were erased while another cluster was in use.
    ///
    /// A list that can't be read keeps no collector from starting, because backups may be on a machine that is away. It is
    /// read as soon as it is there.
    ///
    /// - Returns: The entries, and whether there was a list.
    private func entries(ofBackupList index: Int) -> (entries: Set<SuppressionFile.Entry>, isThere: Bool) {
        let list = self.backupLists[index]
        do {
            let exists = list.file.exists
            let entries = try list.file.entries()
            self.backupLists[index].hasReadingFailed = false
            return (entries, exists)
        } catch {
            if !list.hasReadingFailed {
                self.logger.error(
                    "could not read the list of erased devices beside the backups", metadata: ["error": "\(error)"])
            }
            self.backupLists[index].hasReadingFailed = true
            return ([], false)
        }
    }

    /// Adds new entries to the lists beside the backups. A full disk there stops no erasure, so an error is only logged.
    private func backUp() {
        for index in self.backupLists.indices where !self.backupLists[index].unwritten.isEmpty {
            let list = self.backupLists[index]
            do {
                try list.file.add(list.unwritten)
                self.backupLists[index].unwritten = []
                self.backupLists[index].hasWritingFailed = false
            } catch {
                if !list.hasWritingFailed {
                    self.logger.error(
                        "could not write the list of erased devices beside the backups",
                        metadata: ["error": "\(error)"])
                }
                self.backupLists[index].hasWritingFailed = true
            }
        }
    }

    /// Reads new entries from the database.
    ///
    /// - Returns: Whether the database was replaced, because it lacks entries that were read before.
    private func read() async throws -> Bool {
        while true {
            let after = self.last
            let rows = try await self.pool.withConnection { connection in
                try await connection.query(
                    SQLFiles.readSuppressionList.text, [.int8(after), .int8(Self.limit)], prepared: true)
            }
            guard let first = rows.first else { return false }
            let (oldest, knows) = try first.decode(Postgres.Timestamp.self, Bool.self)
            if !knows {
                self.last = 0
                self.stored = []
                self.hasRestoredOwn = false
                for index in self.backupLists.indices { self.backupLists[index].isRestored = false }
                self.latest.withLock { $0.suppressionList.position = 0 }
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
                let entry = SuppressionFile.Entry(
                    app: try row.decode(String.self, column: 4), key: key, hash: hash)
                self.stored.insert(entry)
                if self.file != nil { self.unwritten.append(entry) }
                for index in self.backupLists.indices { self.backupLists[index].unwritten.append(entry) }
                self.last = max(self.last, id)
            }
            suppressionList.position = max(suppressionList.position, self.last)
            self.latest.withLock { $0 = (suppressionList, .now) }
            if rows.count < Self.limit { return false }
        }
    }

    /// Restores the entries that only the files have in the database, which may be many after a restore, and else are few.
    ///
    /// - Returns: Whether there were any.
    private func restore() async throws -> Bool {
        var entries = self.hasRestoredOwn ? [] : try self.file?.entries() ?? []
        var restored: [Int] = []
        for index in self.backupLists.indices where !self.backupLists[index].isRestored {
            let (listed, isThere) = self.entries(ofBackupList: index)
            entries.formUnion(listed)
            if isThere { restored.append(index) }
        }
        entries.subtract(self.stored)
        if !entries.isEmpty { try await self.store(entries) }
        self.hasRestoredOwn = true
        for index in restored { self.backupLists[index].isRestored = true }
        return !entries.isEmpty
    }

    private func store(_ entries: Set<SuppressionFile.Entry>) async throws {
        let missing = try await self.restoring.withConnection { connection in
            try await connection.transaction { connection in
                var missing = 0
                for entry in entries {
                    let rows = try connection.query(
                        SQLFiles.callRestoreSuppression.text,
                        [.text(entry.app), .bytea(entry.hash), .bytea(entry.key.bytes)], prepared: true)
                    if try rows.first?.decode(Bool?.self, column: 0) == true { missing += 1 }
                }
                return missing
            }
        }
        self.stored.formUnion(entries)
        if missing > 0 {
            self.logger.warning(
                "erased devices are in the database again, probably after a restore; they will be erased again",
                metadata: ["devices": "\(missing)"])
        }
    }
}
