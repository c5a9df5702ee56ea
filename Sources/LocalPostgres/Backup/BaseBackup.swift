package import Files
package import Foundation

/// A complete base backup, as its file `backup.json` describes it.
package struct BaseBackup: Codable, Sendable, Equatable {
    /// The moment when it began, such as `20261125T104500Z`, which is also the name of its directory.
    package let name: String
    /// The earliest moment to which it can be restored, in whole seconds.
    package let endedAt: Date
    /// The major version of PostgreSQL that its files need.
    package let postgres: String
    /// The first and the last file of the write-ahead log without which it is inconsistent.
    let firstSegment: String
    let lastSegment: String
    package let bytes: Int

    /// The names of the moments at which backups begin sort by time.
    static func name(at date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }
}

/// A base backup and the place where it is.
package struct StoredBackup: Sendable {
    package let backup: BaseBackup
    let archive: WALArchive
    package let directory: String

    var data: String { self.directory + "/data" }
    var first: WALSegment? { WALSegment(name: self.backup.firstSegment) }

    /// The newest file of the archive on the timeline of the backup.
    var newestSegment: WALSegment? {
        self.archive.segments().last { $0.timeline == self.first?.timeline }
    }

    /// The latest moment to which it can be restored, as far as the times of the archive's files tell.
    package var restorableUntil: Date {
        guard let last = self.archive.segments().last,
            let date = try? FileManager.default.attributesOfItem(atPath: self.archive.file(of: last))[.modificationDate]
                as? Date
        else { return self.backup.endedAt }
        return max(date, self.backup.endedAt)
    }

    /// The most that a recovery needs for the log since the backup. It keeps what came since the last checkpoint, or two.
    var logBytes: Int {
        let count = self.archive.segments().count { segment in self.first.map { segment.number >= $0.number } ?? true }
        return min(count * 16 << 20, 5 << 30)
    }

    /// The names of the files that are missing in the write-ahead log between its begin and the newest file.
    package var missingFiles: [String] {
        guard let first = self.first else { return [] }
        let own = (try? FileManager.default.contentsOfDirectory(atPath: self.data + "/pg_wal")) ?? []
        return WALSegment.missing(from: first, in: self.archive.segments() + own.compactMap { WALSegment(name: $0) })
            .map(\.name)
    }
}

/// The directory of all backups of one database.
///
/// | path | what it is |
/// | --- | --- |
/// | `database` | the identifier of the database, so that no other one is backed up here |
/// | `erased/` | the list of erased devices, which outlives every backup |
/// | `moved` | the directories where backups went on, if they went on elsewhere |
/// | `archives/MOMENT/wal/` | the write-ahead log of one history since that moment, compressed |
/// | `archives/MOMENT/base/MOMENT/` | a base backup: `data/` and `backup.json` |
package struct BackupDirectory: Sendable {
    package let path: String
    /// The path before links were followed.
    let given: String

    package init(path: String) {
        self.given = URL(fileURLWithPath: path).standardizedFileURL.path
        self.path = PrivateFiles.resolved(self.given)
    }

    /// The directory of the list of erased devices.
    package var erasedDevices: String { self.path + "/erased" }
    var archives: String { self.path + "/archives" }
    var lock: String { self.path + "/backup.lock" }
    private var databaseFile: String { self.path + "/database" }

    /// The identifier of the database, or nil if it has no backups here, as when the disk is not mounted.
    package var database: String? {
        let text = try? PrivateFiles.text(of: self.databaseFile, limit: 4_096)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The user who owns the archives, and whose rights root uses there.
    package var owner: SystemUser { self.files.user }

    /// The rights to use the files with: those of the user who owns the archives, which the server writes.
    var files: PrivateFiles {
        let owner = PrivateFiles.owner(of: self.archives) ?? PrivateFiles.owner(of: self.path)
        return PrivateFiles(user: owner.flatMap(SystemUser.init) ?? .current)
    }

    static let record = "backup.json"
    /// The suffixes of what is not complete yet, and of what is being removed.
    static let unfinished = ".partial"
    static let removed = ".removed"

    /// Every complete backup, oldest first.
    package func backups() -> [StoredBackup] {
        self.allArchives().flatMap(Self.backups).sorted { $0.backup.name < $1.backup.name }
    }

    func allArchives() -> [WALArchive] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: self.archives)) ?? []
        return names.filter { !$0.hasSuffix(Self.removed) }.sorted().map {
            WALArchive(path: "\(self.archives)/\($0)")
        }
    }

    static func backups(in archive: WALArchive) -> [StoredBackup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: archive.backups)) ?? []
        return names.filter { !$0.hasSuffix(Self.unfinished) && !$0.hasSuffix(Self.removed) }.sorted().compactMap {
            let directory = "\(archive.backups)/\($0)"
            guard let data = try? PrivateFiles.bytes(of: "\(directory)/\(Self.record)", limit: 65_536),
                let backup = try? Self.decoder.decode(BaseBackup.self, from: data), (0...1 << 50).contains(backup.bytes)
            else { return nil }
            return StoredBackup(backup: backup, archive: archive, directory: directory)
        }
    }

    /// Returns the backup of a name, or the newest from which a moment can be restored, or the newest of all.
    package func find(name: String?, until moment: Date?) throws(BackupError) -> StoredBackup {
        let all = self.backups()
        guard !all.isEmpty else { throw .noBackup(directory: self.path) }
        let named = all.filter { name == nil || $0.backup.name == name }
        guard !named.isEmpty else { throw .unknownBackup(name ?? "") }
        guard let found = named.last(where: { moment.map($0.backup.isBefore) ?? true }) else {
            throw .momentTooEarly(earliest: named[0].backup.endedAt)
        }
        return found
    }

    /// Claims the directory for a database, or throws if it holds the backups of another one.
    func claim(for database: String) throws {
        if let owner = self.database {
            guard owner == database else { throw BackupError.otherDatabase(directory: self.path) }
            return
        }
        try self.files.write(database + "\n", to: self.databaseFile)
    }

    /// Refuses a directory that was made for something else, such as `/etc`.
    func requireNoOtherFiles() throws(BackupError) {
        guard !FileManager.default.fileExists(atPath: self.databaseFile) else { return }
        // What a killed command leaves, and what a file system has at its top.
        let expected = ["archives", "erased", "backup.lock", "lost+found"]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: self.path)) ?? []
        if let other = names.sorted().first(where: { !$0.hasPrefix(".") && !expected.contains($0) }) {
            throw .otherFiles(directory: self.path, name: other)
        }
    }

    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return encoder
    }()

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()
}

extension BaseBackup {
    fileprivate func isBefore(_ moment: Date) -> Bool { self.endedAt <= moment }
}
