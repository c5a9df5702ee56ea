import Files
import Foundation
import Glibc
import Logging

/// A cluster that is recovered from a backup in a directory of its own, beside the one that is in use.
///
/// It archives nothing, so it can't disturb the history that it comes from.
package struct RestoredCluster: Sendable {
    package let stored: StoredBackup
    let server: ClusterServer

    package var conninfo: String { self.server.conninfo }

    /// Recovers a backup in a directory, which is emptied before.
    ///
    /// - Parameters:
    ///   - place: Where the backup is recovered; its data directory must not be in use.
    ///   - moment: The moment to recover to, or nil for everything that was archived.
    static func recover(
        _ stored: StoredBackup, to moment: Date?, in place: ClusterLocation,
        _ configuration: LocalCluster.Configuration, logger: Logger,
        progress: @escaping BackupProgress.Handler
    ) async throws -> RestoredCluster {
        if let moment, moment < stored.backup.endedAt {
            throw BackupError.momentTooEarly(earliest: stored.backup.endedAt)
        }
        if moment == nil, case let missing = stored.missingFiles, !missing.isEmpty {
            throw BackupError.missingWAL(missing)
        }
        // Nothing is removed from the backups meanwhile. The directory may also be a copy that can only be read.
        let backups = stored.archive.directory
        let lock = try? await FileLock.take(backups.lock, exclusive: false, within: .milliseconds(500))
        defer { withExtendedLifetime(lock) {} }
        let layout = place.layout
        try await place.files.removeTree(layout.base)
        try place.files.makeDirectory(layout.base, mode: SystemUser.isRoot ? 0o711 : 0o700)
        try FileTree.requireSpace(stored.backup.bytes + stored.logBytes + 256 << 20, in: layout.base)
        let binaries = try await PostgresBinaries.find(
            configured: configuration.binDirectory, dataVersion: stored.backup.postgres,
            dataDirectory: stored.directory)
        let tool = PostgresTool(directory: binaries.directory, user: place.user, workingDirectory: layout.base)
        try await Self.copy(stored, to: place, tool, progress)
        guard try await tool.succeeds("test", ["-x", stored.archive.wal]) else {
            throw BackupError.unreachable(directory: stored.archive.wal, user: place.user.name)
        }
        var configuration = configuration
        configuration.recovery = RecoveryTarget(moment: moment)
        let server = ClusterServer(place: place, configuration: configuration, tool: tool, logger: logger)
        try place.files.write(stored.archive.restoreScript, to: layout.restoreScript)
        // As a standby, it would wait for more log without an end.
        try place.files.unlink(layout.cluster + "/standby.signal")
        try place.files.touch(layout.cluster + "/recovery.signal")
        progress(.init(phase: "recovering", bytes: stored.backup.bytes, total: nil))
        let restored = RestoredCluster(stored: stored, server: server)
        // Before the server starts: what is archived meanwhile may come after the server's last question for it.
        let newest = moment == nil ? stored.newestSegment : nil
        do {
            try await restored.start(to: moment, reaching: newest)
        } catch {
            try? await server.stop()
            throw error
        }
        return restored
    }

    /// Copies the files of the backup, and compares the copy with the manifest.
    private static func copy(
        _ stored: StoredBackup, to place: ClusterLocation, _ tool: PostgresTool,
        _ progress: @escaping BackupProgress.Handler
    ) async throws {
        let cluster = place.layout.cluster
        try place.files.makePrivateDirectory(cluster)
        try await BackupProgress.report("copying", growing: cluster, total: stored.backup.bytes, to: progress) {
            // As the server's user, who could exchange the directories while root follows them.
            try await tool.run("cp", ["-R", "-p", "--reflink=auto", "\(stored.data)/.", cluster])
        }
        progress(.init(phase: "verifying", bytes: stored.backup.bytes, total: nil))
        try await tool.verifyBackup(cluster, name: stored.backup.name)
        // A restored cluster begins a history of its own with its first backup.
        let script = place.layout.archiveScript
        for name in ["", WALArchive.formerSuffix, WALArchive.nextSuffix] { try place.files.unlink(script + name) }
        try await tool.run("chmod", ["700", cluster])
    }

    /// Starts the server, and returns when it has recovered everything and accepts sessions.
    ///
    /// - Parameter newest: The file of the archive that a recovery without a moment must reach, if there is one.
    private func start(to moment: Date?, reaching newest: WALSegment?) async throws {
        do {
            _ = try await self.server.startUnlessRunning()
            while let postmaster = Postmaster.running(in: self.server.layout.cluster) {
                if postmaster.status == "ready" {
                    if let newest { try self.requireEnd(at: newest) }
                    return
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            throw LocalClusterError.startFailed(reason: self.server.lastComplaint, log: self.server.layout.log)
        } catch LocalClusterError.startFailed(let reason, let log) {
            throw self.failure(reason, log: log, moment)
        }
    }

    private func failure(_ reason: String, log: String, _ moment: Date?) -> BackupError {
        let text = PrivateFiles.end(of: log, bytes: 1 << 20) ?? ""
        if let damaged = text.split(separator: "\n").last(where: { $0.hasSuffix(".gz is damaged") }) {
            return .damaged(backup: self.stored.backup.name, reason: String(damaged))
        }
        if text.split(separator: "\n").contains(where: { $0.hasPrefix("no room for ") }) {
            return .recoveryFailed(reason: "its disk has no room for the log", log: log)
        }
        guard reason.contains("before configured recovery target was reached") else {
            return .recoveryFailed(reason: reason, log: log)
        }
        let last = text.matches(of: /last completed transaction was at log time ([^\n]+)/).last.map { String($0.1) }
        return .archiveEnds(
            wanted: moment?.formatted(.iso8601) ?? "", last: last, missing: self.stored.missingFiles)
    }

    /// Requires that the recovery reached the file that was the newest of the archive when it began.
    ///
    /// Without a moment to reach, PostgreSQL takes the first record that it can't read for the end.
    private func requireEnd(at newest: WALSegment) throws {
        let history = "\(self.server.layout.cluster)/pg_wal"
        let names = try FileManager.default.contentsOfDirectory(atPath: history).filter { $0.hasSuffix(".history") }
        let text = try names.max().map { try PrivateFiles.text(of: "\(history)/\($0)") } ?? ""
        let fields = text.split(separator: "\n").last?.split(separator: "\t") ?? []
        guard fields.count >= 2, let end = WALSegment(position: fields[1], timeline: newest.timeline),
            end.number >= newest.number
        else { throw BackupError.endedEarly(at: fields.count >= 2 ? String(fields[1]) : "?", newest: newest.name) }
    }

    package func stop() async throws { try await self.server.stop() }

    /// Stops the server and removes all files of the restored cluster.
    package func remove() async throws {
        try? await self.server.stop()
        try? self.server.place.files.unlinkTree(self.server.layout.socketDirectory)
        try await self.server.place.files.removeTree(self.server.layout.base)
    }
}
