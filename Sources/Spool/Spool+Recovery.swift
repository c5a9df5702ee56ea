import Foundation
import Glibc
import Logging

extension Spool {
    /// The maximum number of damaged files in the directory; more of them indicate a failing disk.
    private static let damagedFileLimit = 8

    func start() {
        do {
            _ = try self.openFile()
        } catch {
            self.logger.error("spool unavailable", metadata: ["error": "\(error)"])
        }
    }

    /// Returns the spool file; opens and checks it first if necessary.
    func openFile() throws(SpoolError) -> SpoolFile {
        if let file { return file }
        guard !self.isClosed else { throw .unusable(reason: "it is closed") }
        guard self.reopening.permitsAttempt(at: .now) else { throw .unusable(reason: "it failed moments ago") }
        do {
            let file = try self.openSoundFile()
            self.file = file
            self.reopening.recordOpening()
            self.state.isUsable = true
            return file
        } catch {
            self.reopening.recordFailure(at: .now)
            self.state.isUsable = false
            let failure = SpoolFailure(error)
            self.logger.error("cannot open the spool file", metadata: ["error": "\(failure)"])
            throw .unusable(reason: failure.description)
        }
    }

    /// Closes the file after an error; reopening it shows what reached the disk.
    func close(after error: any Error) {
        let failure = SpoolFailure(error)
        self.logger.error("the spool failed", metadata: ["error": "\(failure)"])
        self.file?.close()
        self.file = nil
        self.state.isUsable = false
        if !failure.isDamage { self.reopening.recordFailure(at: .now) }
    }

    private func openSoundFile() throws -> SpoolFile {
        let path = self.fileLock.base + ".sqlite"
        do {
            return try self.load(try SpoolFile(path: path))
        } catch  where SpoolFailure(error).isDamage {
            try self.moveAway(path)
            return try self.load(try SpoolFile(path: path))
        }
    }

    /// Salvages entries from damaged files and counts the entries of the spool file.
    private func load(_ file: SpoolFile) throws -> SpoolFile {
        self.awaitedEntries = nil
        let salvaged = try self.salvage(into: file)
        var (entries, events, broken, brokenEvents) = (0, 0, [Int64](), 0)
        var oldest: ArraySlice<UInt8>?
        _ = try file.write { try $0.retrySetAside() }
        try file.read { transaction in
            try transaction.visit { row in
                if let entry = row.entry {
                    (entries, events) = (entries + 1, events + row.events)
                    oldest = oldest ?? entry
                } else {
                    broken.append(row.id)
                    brokenEvents += row.events
                }
                return true
            }
        }
        let inUse = try file.write { transaction in
            for id in broken { try transaction.setAside(id, reason: "the checksum is wrong", isRetried: false) }
            return try (transaction.bytesInUse(), transaction.setAsideCount())
        }
        self.state.entries = entries
        self.state.events = events
        self.state.oldest = oldest.flatMap(Self.receivedAt)
        self.state.bytes = inUse.0
        self.state.setAsideEntries = inUse.1.entries
        self.state.setAsideEvents = inUse.1.events
        self.balance(newlySetAside: brokenEvents)
        if !broken.isEmpty || salvaged.broken > 0 {
            self.logger.error(
                "damaged spool entries were set aside",
                metadata: ["entries": "\(broken.count + salvaged.broken)"])
        }
        if entries > 0 {
            self.logger.notice(
                "events are waiting in the spool", metadata: ["entries": "\(entries)", "events": "\(events)"])
        }
        return file
    }

    /// Corrects the counts after a file was opened.
    ///
    /// Events that were not counted before came from an earlier run. Events that are missing were lost to damage.
    private func balance(newlySetAside: Int) {
        self.state.counts.setAside += newlySetAside
        let counts = self.state.counts
        let went = self.state.events + counts.stored + counts.duplicates + counts.rejected + counts.setAside
        let came = counts.found + counts.spooled
        if went > came { self.state.counts.found += went - came } else { self.state.counts.setAside += came - went }
    }

    /// Renames a damaged file and its journal.
    ///
    /// A hot journal belongs to the damaged file; if it stayed, SQLite would replay it into the next file.
    private func moveAway(_ path: String) throws {
        let asides = try self.files(with: ".aside-").count
        guard asides < Self.damagedFileLimit else {
            throw SpoolError.unusable(reason: "\(asides) damaged files are in the directory already")
        }
        let name = self.fileLock.base + ".damaged-" + String(UUID().uuidString.prefix(8))
        self.logger.critical(
            "the spool file is damaged; it was moved aside and will be searched for entries",
            metadata: ["file": "\(name)"])
        if rename(path + "-journal", name + "-journal") != 0, errno != ENOENT { throw Self.failure() }
        guard rename(path, name) == 0 else { throw Self.failure() }
    }

    /// Moves the intact entries of damaged files into the spool file, and sets the corrupt ones aside.
    ///
    /// If the process is killed meanwhile, the next start repeats this, with the same result in PostgreSQL.
    private func salvage(into file: SpoolFile) throws -> (whole: Int, broken: Int) {
        var (whole, broken) = (0, 0)
        for damaged in try self.files(with: ".damaged-") where !damaged.hasSuffix("-journal") {
            var seen: Set<[UInt8]> = []
            try file.write { transaction in
                try SpoolSalvage.visit(damaged) { found in
                    switch found {
                    case .whole(let record, let events):
                        // The file can contain an entry twice if SQLite was moving a page.
                        guard seen.insert(Array(record.prefix(SpoolRecord.headLength))).inserted else { return }
                        try transaction.add(Data(record), events: events)
                        whole += 1
                    case .broken(let bytes):
                        try transaction.setAside(Data(bytes), reason: "corrupt, found in a damaged file")
                        broken += 1
                    }
                }
            }
            let aside = damaged.replacing(".damaged-", with: ".aside-")
            do {
                try SpoolSalvage.blank(damaged)
            } catch {
                self.logger.warning(
                    "could not remove the saved entries from a damaged spool file",
                    metadata: ["file": "\(aside)", "error": "\(SpoolFailure(error))"])
            }
            // It has copies of pages, and nothing reads it any more.
            unlink(damaged + "-journal")
            guard rename(damaged, aside) == 0 else { throw Self.failure() }
            self.logger.critical(
                "searched a damaged spool file for entries",
                metadata: ["file": "\(aside)", "entries": "\(whole)", "broken": "\(broken)"])
        }
        return (whole, broken)
    }

    /// Returns the paths of this slot's files whose names have this text after the slot's name.
    func files(with infix: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: self.configuration.directory)
        let prefix = (self.fileLock.base as NSString).lastPathComponent + infix
        return names.filter { $0.hasPrefix(prefix) }.sorted().map { self.configuration.directory + "/" + $0 }
    }

    private static func failure() -> SpoolError {
        .unusable(reason: "cannot move the file aside: \(String(cString: strerror(errno)))")
    }
}
