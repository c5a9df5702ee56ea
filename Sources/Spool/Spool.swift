import AfterpushWire
import Executors
import Files
import Foundation
import Glibc
package import Ingest
package import Logging

/// A queue on the local disk for groups of events that PostgreSQL can't store now.
///
/// Entries are synced to disk when `add` returns, and stay until the caller reports that PostgreSQL has committed them,
/// even if the program crashes. An entry can therefore be replayed twice, which changes nothing.
package actor Spool {
    /// The place and size of a spool.
    ///
    /// | property | meaning |
    /// | --- | --- |
    /// | `directory` | directory of the spool's files; created if missing, accessible only to the program's user |
    /// | `capacity` | maximum size of the spool in bytes |
    /// | `freeMargin` | bytes to leave free on the disk |
    /// | `owner` | part of the file names that identifies the database to which the events belong |
    package struct Configuration: Sendable {
        package var directory: String
        package var capacity = 256 << 20
        package var freeMargin = 64 << 20
        package var owner = "0"

        package init(directory: String) {
            self.directory = directory
        }
    }

    let configuration: Configuration
    let fileLock: SpoolFileLock
    let logger: Logger
    /// The open file, or `nil` while it can't be used.
    var file: SpoolFile?
    var reopening = ReopenSchedule()
    var state = SpoolStatus()
    /// What retention waits for of the entries that were set aside, or `nil` if it has to be read from the file.
    var awaitedEntries: [SpoolTransaction.AwaitedEntry]?
    /// The locks of the slots that no collector uses and whose entries, if there were any, were taken over. They are held
    /// until the reporter has closed the status of these slots, so that no collector fills one meanwhile.
    var emptiedSlots: [SpoolFileLock] = []
    private(set) var isClosed = false
    private let executor = QueueExecutor(label: "spool")

    // SQLite blocks.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(_ configuration: Configuration, fileLock: SpoolFileLock, logger: Logger) {
        self.configuration = configuration
        self.fileLock = fileLock
        self.logger = logger
        state.capacity = configuration.capacity
    }

    /// Takes a free slot in the directory, with the entries that an earlier collector left there.
    ///
    /// If the file can't be opened now, it is reopened later. If the directory can't be used, the operator must fix it.
    package static func open(_ configuration: Configuration, logger: Logger) async throws(SpoolError) -> Spool {
        let fileLock = try SpoolFileLock.take(in: configuration.directory, owner: configuration.owner)
        let spool = Spool(configuration, fileLock: fileLock, logger: logger)
        await spool.start()
        return spool
    }

    /// Requires that nobody but the program's user and root can change or replace the directory, which need not exist.
    package static func requireSafety(of directory: String) throws(SpoolError) {
        do throws(TrustedPath.Untrusted) {
            try TrustedPath.require(directory, owners: [geteuid()], above: [0, geteuid()])
        } catch {
            throw .directory(path: directory, reason: "others could replace it, because \(error)")
        }
    }

    /// Returns about how many bytes of the spool a request takes.
    package static func size(of request: PendingSubmission) -> Int {
        EventGroup([request]).packed(limit: SpoolFile.entryLimit).reduce(0) {
            $0 + SpoolFile.size(ofEntry: $1.bytes.count)
        }
    }

    package var status: SpoolStatus { self.state }

    /// The number of events that PostgreSQL has refused within a day, and that are tried again: they were acknowledged.
    var awaitedSetAsideEvents: Int {
        guard self.state.setAsideEntries > 0 else { return 0 }
        // The reporter asks each second, and reading the entries takes long.
        if self.awaitedEntries == nil {
            self.awaitedEntries = try? self.withFile { file in try file.read { try $0.awaitedEntries() } }
        }
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        return self.awaitedEntries?.events(at: now) ?? self.state.setAsideEvents
    }

    /// Text that identifies the spool in the database.
    package nonisolated var identity: String { fileLock.identity }

    /// Whether a group can probably be added now.
    package var canTake: Bool {
        guard (try? self.openFile()) != nil else { return false }
        return self.hasRoom(for: 0, inUse: self.state.bytes)
    }

    /// Removes the slots that were emptied, and returns their locks, which the caller releases.
    func takeEmptiedSlots() -> [SpoolFileLock] {
        let slots = self.emptiedSlots
        self.emptiedSlots = []
        return slots
    }

    /// Closes the file and releases the slot; nothing can be added after that.
    package func close() {
        self.closeFile()
        self.emptiedSlots = []
        self.fileLock.release()
    }

    /// Closes the file, and leaves it to the caller to release the slot; nothing can be added after that.
    func closeFile() {
        self.isClosed = true
        self.file?.close()
        self.file = nil
        self.state.isUsable = false
    }

    /// Adds a group and returns once it is synced to disk.
    package nonisolated func add(_ group: EventGroup) async throws(SpoolError) -> [SubmissionOutcome] {
        try await self.keep(group.packed(limit: SpoolFile.entryLimit))
        return group.results.map { outcome in
            var outcome = outcome
            outcome.durability = .spooled
            return outcome
        }
    }

    func keep(_ packed: [PackedEntry]) throws(SpoolError) {
        let records = packed.map { (bytes: SpoolRecord.bytes(of: $0), events: $0.events) }
        let incoming = records.reduce(0) { $0 + $1.bytes.count }
        self.state.bytes = try self.withFile { file in
            try file.write { transaction in
                guard self.hasRoom(for: incoming, inUse: try transaction.bytesInUse()) else { throw SpoolError.full }
                for record in records { try transaction.add(record.bytes, events: record.events) }
                return try transaction.bytesInUse()
            }
        }
        let events = packed.reduce(0) { $0 + $1.events }
        self.state.entries += packed.count
        self.state.events += events
        self.state.counts.spooled += events
        if self.state.oldest == nil { self.state.oldest = packed.first.flatMap { Self.receivedAt($0.bytes[...]) } }
    }

    /// Runs a body with the file.
    ///
    /// After an SQLite error the file is closed, and checked before it is used again.
    func withFile<Value>(_ body: (SpoolFile) throws -> Value) throws(SpoolError) -> Value {
        let file = try self.openFile()
        do {
            return try body(file)
        } catch let error as SpoolError {
            throw error
        } catch {
            self.close(after: error)
            throw .unusable(reason: SpoolFailure(error).description)
        }
    }

    static func receivedAt(_ entry: ArraySlice<UInt8>) -> AfterpushWire.Timestamp? {
        try? SpoolEntry(entry).receivedAt
    }

    private func hasRoom(for incoming: Int, inUse: Int) -> Bool {
        // One more page than the records need, for the unused ends of pages.
        let isWithin = inUse + incoming + SpoolFile.pageSize <= self.configuration.capacity
        // Twice, for the journal.
        let free = DiskSpace.free(at: self.configuration.directory)
        return isWithin && free - 2 * incoming >= self.configuration.freeMargin
    }
}

/// The reason why an operation of the spool failed. Nothing of a group whose `add` failed counts as stored.
package enum SpoolError: Error, Sendable, Equatable {
    /// The spool has reached its capacity, or the disk has too little free space.
    case full
    /// The spool file can't be read or written; it is reopened later.
    case unusable(reason: String)
    /// The directory can't be used; the operator must fix it before the program can start.
    case directory(path: String, reason: String)
    /// The list of erased devices, next to the spool or the backups, can't be read or written.
    case erasedDevices(path: String, reason: String)
}

extension SpoolError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .full: "the spool is full"
        case .unusable(let reason): "the spool can't be used: \(reason)"
        case .erasedDevices(let path, let reason):
            "the list of erased devices \(path) can't be used: \(reason)"
        case .directory(let path, let reason):
            "the spool's directory \(path) can't be used: \(reason); name another one with AFTERPUSH_SPOOL_DIR, "
                + "or switch the spool off with AFTERPUSH_SPOOL_BYTES=0"
        }
    }
}

/// The free space on the disk of a directory.
enum DiskSpace {
    /// Returns the number of bytes that the program can still write, or 0 if it is unknown.
    static func free(at path: String) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return 0 }
        return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
    }
}
