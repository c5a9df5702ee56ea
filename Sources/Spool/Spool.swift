import AfterpushWire
import Executors
package import Ingest
package import Logging

/// Where groups of events wait on the local disk while PostgreSQL can't take them.
///
/// Added entries are synced to disk when `add` returns, and stay until the caller reports that PostgreSQL has committed
/// it, whatever happens to the program in between. So an entry may be replayed twice, which changes nothing.
package actor Spool {
    /// | property | meaning |
    /// | --- | --- |
    /// | `directory` | where its files are; made if it is missing, and the program's user's alone |
    /// | `capacity` | bytes of its file that may be in use |
    /// | `freeMargin` | bytes that stay free on the disk |
    /// | `owner` | names the database that its events belong to, in its files' names |
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
    /// Nil while it can't be used.
    var file: SpoolFile?
    var reopenBackoff = ReopenBackoff()
    var state = SpoolStatus()
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

    /// Takes a free place in the directory, with what an earlier collector left there.
    ///
    /// A file that can't be opened now is tried again later; a directory that can't be used is the operator's to mend.
    package static func open(_ configuration: Configuration, logger: Logger) async throws(SpoolError) -> Spool {
        let fileLock = try SpoolFileLock.take(in: configuration.directory, owner: configuration.owner)
        let spool = Spool(configuration, fileLock: fileLock, logger: logger)
        await spool.start()
        return spool
    }

    package var status: SpoolStatus { self.state }

    /// Whether a group can be added, as far as is known.
    package var canTake: Bool {
        guard (try? self.openFile()) != nil else { return false }
        return self.hasRoom(for: 0, inUse: self.state.bytes)
    }

    /// Gives its place up; nothing can be added any more.
    package func close() {
        self.isClosed = true
        self.file?.close()
        self.file = nil
        self.state.isUsable = false
        self.fileLock.release()
    }

    /// Keeps a group; returns once it is safe on the disk.
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

    /// Does something with the file. After an error of SQLite's nothing of it counts: the file is closed, and looked
    /// through before it is used again.
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
        // A page more than the records have, for what is left over at the end of pages.
        let isWithin = inUse + incoming + SpoolFile.pageSize <= self.configuration.capacity
        // Twice, for the journal.
        let free = DiskSpace.free(at: self.configuration.directory)
        return isWithin && free - 2 * incoming >= self.configuration.freeMargin
    }
}
