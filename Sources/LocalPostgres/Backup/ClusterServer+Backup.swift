import Foundation
import Glibc

/// Base backups and the archive, made with PostgreSQL's own programs.
extension ClusterServer {
    /// The archive to which the cluster's write-ahead log goes, or nil if it is not archived.
    var archive: WALArchive? { WALArchive.named(inScript: self.layout.archiveScript) }

    /// The backup directories that the cluster comes from, that of the archive included.
    var origins: BackupOrigins { BackupOrigins.read(self.layout) }

    /// Makes the server archive its log to the directory, and calls `body` when it does.
    ///
    /// If the log goes to another archive, it also goes on there until `body` has returned: a backup that fails or is
    /// killed must not end the history that can be restored.
    func archiving<Value>(
        to directory: BackupDirectory, within timeout: Duration, _ body: (WALArchive) async throws -> Value
    ) async throws -> Value {
        guard try await self.query("show archive_mode") == "on" else { throw BackupError.notArchiving }
        let former = self.archive
        let archive = try await self.archive(in: directory)
        try await self.useArchive(archive, besides: former == archive ? nil : former)
        do {
            // The archiver reads the settings some time after the reload. A file that it has archived proves that it has.
            try await self.awaitArchive(archive, within: timeout)
            let value = try await body(archive)
            if former != archive { try await self.useArchive(archive) }
            return value
        } catch  where former != archive {
            // An archive without a backup must not make the server keep its log until the disk is full.
            try await self.useArchive(former)
            throw error
        }
    }

    /// Makes the server archive its log, to a former archive as well if there is one.
    func useArchive(_ archive: WALArchive?, besides former: WALArchive? = nil) async throws {
        let script = self.layout.archiveScript
        let (formerScript, nextScript) = (script + WALArchive.formerSuffix, script + WALArchive.nextSuffix)
        if let archive, let former {
            try self.place.files.write(former.archiveScript, to: formerScript)
            try self.place.files.write(archive.archiveScript, to: nextScript)
            try self.place.files.write(former.movingScript, to: script)
        } else {
            if let archive {
                try self.place.files.write(archive.archiveScript, to: script)
            } else {
                try self.place.files.unlink(script)
            }
            // The server repeats what a script that is running now can't do without them.
            for script in [formerScript, nextScript] { try self.place.files.unlink(script) }
        }
        try self.place.files.sync(self.layout.cluster)
        try await self.prepareFiles()
        try await self.tool.run("pg_ctl", ["reload", "-s", "-D", ClusterLayout.clusterName])
    }

    /// Returns this cluster's archive in the directory. Creates it if it doesn't exist.
    private func archive(in directory: BackupDirectory) async throws -> WALArchive {
        if let archive = self.archive, archive.path.hasPrefix(directory.archives + "/"),
            FileManager.default.fileExists(atPath: archive.wal)
        {
            return archive
        }
        while true {
            let archive = WALArchive(path: "\(directory.archives)/\(BaseBackup.name(at: Date()))")
            if try self.place.files.makeDirectory(archive.path, mode: 0o700) {
                try self.place.files.makePrivateDirectory(archive.wal)
                try self.place.files.makePrivateDirectory(archive.backups)
                return archive
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Waits until the log up to now is archived.
    func awaitArchive(_ archive: WALArchive, within timeout: Duration) async throws {
        // Without a record, nothing would be switched.
        let script = "select pg_walfile_name(pg_switch_wal()) from pg_create_restore_point('afterpush backup')"
        let name = try await self.query(script)
        guard let segment = WALSegment(name: name) else { throw BackupError.archiveFails(reason: "no file \(name)") }
        let end = ContinuousClock.now + timeout
        while !archive.contains(segment) {
            guard ContinuousClock.now < end else { throw BackupError.archiveFails(reason: self.archiveComplaint) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// What the archive script last said, from the server's log.
    private var archiveComplaint: String {
        let text = PrivateFiles.end(of: self.layout.log, bytes: 65_536) ?? ""
        let lines = text.split(separator: "\n").suffix(200)
        let said = lines.last { $0.contains("gzip: ") || $0.contains("/wal/") && !$0.contains("command was") }
        return said.map(String.init) ?? "the server did not archive it in time (see \(self.layout.log))"
    }

    func takeBaseBackup(
        in archive: WALArchive, within timeout: Duration, _ progress: @escaping BackupProgress.Handler
    ) async throws -> StoredBackup {
        let size = Int(try await self.query("select sum(pg_database_size(oid)) from pg_database")) ?? 0
        // Together with the log that is written meanwhile.
        try FileTree.requireSpace(size + size / 20 + 64 << 20, in: archive.path)
        let name = BaseBackup.name(at: Date())
        let unfinished = "\(archive.backups)/\(name)\(BackupDirectory.unfinished)"
        try self.place.files.makePrivateDirectory(unfinished)
        do {
            try await BackupProgress.report("copying", growing: unfinished, total: size, to: progress) {
                try await self.copy(to: unfinished)
            }
            progress(.init(phase: "verifying", bytes: size, total: nil))
            try await self.tool.verifyBackup(unfinished + "/data", name: name)
            try await self.awaitArchive(archive, within: timeout)
            let record = try await self.record(name, of: unfinished)
            try self.place.files.write(
                String(decoding: try BackupDirectory.encoder.encode(record), as: UTF8.self),
                to: "\(unfinished)/\(BackupDirectory.record)")
            let finished = "\(archive.backups)/\(name)"
            try self.place.files.sync(unfinished)
            try self.place.files.rename(unfinished, to: finished)
            try self.place.files.sync(archive.backups)
            return StoredBackup(backup: record, archive: archive, directory: finished)
        } catch {
            try? self.place.files.unlinkTree(unfinished)
            throw error
        }
    }

    private func copy(to directory: String) async throws {
        // Its working directory tells a later backup which programs to end, if this one is killed.
        let tool = PostgresTool(directory: self.tool.directory, user: self.place.user, workingDirectory: directory)
        try await tool.run(
            "pg_basebackup",
            [
                "--pgdata", "data", "--format", "plain", "--wal-method", "stream", "--checkpoint", "fast", "--label",
                "afterpush backup", "--host", self.layout.socketDirectory, "--port", "\(ClusterLayout.port)",
                "--username", Self.superuser, "--no-password",
            ])
    }

    private func record(_ name: String, of directory: String) async throws -> BaseBackup {
        let data = directory + "/data"
        let label = try PrivateFiles.text(of: data + "/backup_label")
        let version = try PrivateFiles.text(of: data + "/PG_VERSION")
        let seconds = try await self.query("select ceil(extract(epoch from clock_timestamp()))::bigint")
        guard let first = label.firstMatch(of: /START WAL LOCATION: [^ ]+ \(file ([0-9A-F]{24})\)/)?.1,
            // A line for each file, of which a large cluster has a million.
            let manifest = try? PrivateFiles.bytes(of: data + "/backup_manifest", limit: 512 << 20),
            let range = try JSONDecoder().decode(BackupManifest.self, from: manifest).ranges.last,
            let last = WALSegment(position: range.end, timeline: range.timeline), let seconds = Double(seconds)
        else { throw BackupError.damaged(backup: name, reason: "it has no label") }
        return BaseBackup(
            name: name, endedAt: Date(timeIntervalSince1970: seconds),
            postgres: version.trimmingCharacters(in: .whitespacesAndNewlines), firstSegment: String(first),
            lastSegment: last.name, bytes: FileTree.size(data))
    }
}

/// The part of a backup's manifest that says which log it needs.
private struct BackupManifest: Decodable {
    struct Range: Decodable {
        let timeline: UInt32
        let end: String

        enum CodingKeys: String, CodingKey {
            case timeline = "Timeline"
            case end = "End-LSN"
        }
    }

    let ranges: [Range]

    enum CodingKeys: String, CodingKey {
        case ranges = "WAL-Ranges"
    }
}

extension PostgresTool {
    /// Compares the files of a base backup with its manifest.
    func verifyBackup(_ data: String, name: String) async throws {
        do {
            try await self.run("pg_verifybackup", ["--exit-on-error", "--quiet", data])
        } catch LocalClusterError.toolFailed(_, let reason) {
            throw BackupError.damaged(backup: name, reason: reason)
        }
    }
}
