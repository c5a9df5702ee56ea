package import Foundation
import Glibc

/// Which backups are kept: those that any of the rules keeps, and the newest in any case.
package struct BackupRetention: Sendable, Equatable {
    /// The number of newest backups.
    package var count: Int?
    /// The number of days.
    package var days: Int?

    package init(count: Int?, days: Int?) {
        self.count = count
        self.days = days
    }

    /// Returns the names of the backups that no rule keeps, of these names and times, oldest first.
    package func expired(_ backups: [(name: String, endedAt: Date)], at now: Date) -> [String] {
        guard self.count != nil || self.days != nil, !backups.isEmpty else { return [] }
        let newest = max(1, self.count ?? 1)
        let since = self.days.map { now.addingTimeInterval(Double(-$0) * 86_400) }
        return backups.dropLast(newest).filter { backup in since.map { backup.endedAt < $0 } ?? true }.map(\.name)
    }
}

extension BackupDirectory {
    /// Removes expired backups, and the log that no backup needs any more; returns the names of the backups.
    ///
    /// Throws, and removes nothing, if a backup can't be read: its log would be taken for log that no backup needs.
    package func prune(_ retention: BackupRetention, now: Date = Date()) async throws -> [String] {
        guard FileManager.default.fileExists(atPath: self.archives) else { return [] }
        let lock = try await BackupLock.take(self)
        let files = self.files
        try self.requireReadable()
        try await self.removeLeftovers()
        let all = self.backups()
        let expired = Set(retention.expired(all.map { ($0.backup.name, $0.backup.endedAt) }, at: now))
        for stored in all where expired.contains(stored.backup.name) {
            // An interrupted removal must not leave half a backup with the name of a whole one.
            try await Self.remove(stored.directory, files)
        }
        let remaining = all.filter { !expired.contains($0.backup.name) }
        let newest = remaining.last?.archive
        for archive in self.allArchives() {
            let firsts = remaining.filter { $0.archive == archive }.compactMap(\.first)
            if let first = firsts.min(by: { $0.number < $1.number }) {
                try archive.removeSegments(before: first, files)
            } else if let newest, archive.path < newest.path {
                // A newer one has all backups that are left, and this one ended when that one began.
                try await Self.remove(archive.path, files)
            }
        }
        return withExtendedLifetime(lock) { expired.sorted() }
    }

    /// Throws unless every archive and every backup in it can be read.
    private func requireReadable() throws {
        func names(in directory: String) throws -> [String] {
            do {
                return try FileManager.default.contentsOfDirectory(atPath: directory)
            } catch CocoaError.fileReadNoSuchFile {
                return []
            } catch {
                throw BackupError.unreadable(directory)
            }
        }
        for archive in try names(in: self.archives) where !archive.hasSuffix(Self.removed) {
            let archive = WALArchive(path: "\(self.archives)/\(archive)")
            let known = Set(Self.backups(in: archive).map(\.directory))
            for name in try names(in: archive.backups)
            where !name.hasSuffix(Self.unfinished) && !name.hasSuffix(Self.removed) {
                let directory = "\(archive.backups)/\(name)"
                guard known.contains(directory) else { throw BackupError.unreadable("\(directory)/\(Self.record)") }
            }
        }
    }

    /// Removes what interrupted commands have left.
    func removeLeftovers() async throws {
        let files = self.files
        for archive in self.allArchives() {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: archive.backups)) ?? []
            where name.hasSuffix(Self.unfinished) || name.hasSuffix(Self.removed) {
                try await files.removeTree("\(archive.backups)/\(name)")
            }
            for name in (try? FileManager.default.contentsOfDirectory(atPath: archive.wal)) ?? []
            where name.hasSuffix(".part") && Self.isOld("\(archive.wal)/\(name)") {
                try files.unlink("\(archive.wal)/\(name)")
            }
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: self.archives)) ?? []
        where name.hasSuffix(Self.removed) {
            try await files.removeTree("\(self.archives)/\(name)")
        }
    }

    private static func remove(_ directory: String, _ files: PrivateFiles) async throws {
        let removed = directory + Self.removed
        try files.rename(directory, to: removed)
        try await files.removeTree(removed)
    }

    /// Whether a file is too old to be one that the server is archiving now.
    private static func isOld(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 3_600
    }
}
