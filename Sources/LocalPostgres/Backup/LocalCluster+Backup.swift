package import Files
import Foundation
import Glibc
import Logging

/// What a backup or a restore is doing, for a progress bar.
package struct BackupProgress: Sendable {
    package let phase: String
    package let bytes: Int
    /// The expected number of bytes, or nil if it is unknown.
    package let total: Int?

    package var fraction: Double? {
        self.total.map { $0 > 0 ? min(1, Double(self.bytes) / Double($0)) : 1 }
    }

    package typealias Handler = @Sendable (BackupProgress) -> Void

    /// Reports the size of a growing directory until `work` has returned.
    static func report<T: Sendable>(
        _ phase: String, growing directory: String, total: Int, to handler: @escaping Handler,
        _ work: @Sendable () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    handler(.init(phase: phase, bytes: FileTree.size(directory), total: total))
                    try await Task.sleep(for: .milliseconds(500))
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }
}

extension LocalCluster {
    /// The user whom the server runs as, and with whose rights root uses the directory of the backups.
    package nonisolated var serverUser: SystemUser { self.server.place.user }

    /// The backups of this cluster, or nil if none was ever made. The server's user can name any directory.
    package nonisolated var backupDirectory: BackupDirectory? {
        self.server.archive?.directory
    }

    /// The backup directories whose lists of erased devices this cluster completes: that of its backups, and, until the
    /// first backup there is complete, those that the cluster comes from, as far as they are there.
    ///
    /// Later on, a restore from those finds the list of the present one.
    package nonisolated var listedDirectories: [BackupDirectory] {
        let present = self.backupDirectory
        let origins = BackupOrigins.recorded(in: self.server.layout)
        if let present, origins.unnoted.contains(present.path) { return [present] }
        let former = origins.unnoted.map { BackupDirectory(path: $0) }
            .filter { $0.database.map { $0 == origins.database } ?? false }
        return (present.map { [$0] } ?? []) + former
    }

    /// Makes the list of erased devices writable for the user of the server, who may also be the user of `serve`.
    package nonisolated func giveErasedDevices(in directory: BackupDirectory) throws {
        guard SystemUser.isRoot else { return }
        let user = self.server.place.user
        let path = directory.erasedDevices
        let parent = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        try PrivateFiles.check(parent >= 0, path)
        defer { Glibc.close(parent) }
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(parent)") {
            let file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { Glibc.close(file) }
            var status = stat()
            // The directory belongs to the user, who must not be given what is a file elsewhere, too.
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else { continue }
            try PrivateFiles.check(fchown(file, user.uid, user.gid) == 0, "\(path)/\(name)")
        }
    }

    /// Takes a base backup, and archives the write-ahead log from now on.
    ///
    /// A backup is a directory with the suffix `.partial` until its files are on the disk and agree with their manifest,
    /// and all log that it needs is archived. If the program ends before, the next backup removes it.
    ///
    /// - Parameters:
    ///   - database: The identifier of the database, which survives a restore.
    ///   - timeout: How long the server may take to archive the log of the backup.
    ///   - beforeMoving: Writes the list of erased devices to the directory. It is called when the backup is complete, if
    ///     the cluster comes from other directories: before they name this one, and before the log goes only here. If it
    ///     throws, neither happens.
    package nonisolated func backUp(
        to directory: BackupDirectory, database: String, timeout: Duration = .seconds(60),
        progress: @escaping BackupProgress.Handler = { _ in },
        beforeMoving: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> StoredBackup {
        guard !self.server.configuration.throwaway else { throw BackupError.throwaway }
        let lock = try await BackupLock.take(directory, self.server)
        try directory.claim(for: database)
        let backup = try await self.server.archiving(to: directory, within: timeout) { archive in
            try await directory.removeLeftovers()
            let backup = try await self.server.takeBaseBackup(in: archive, within: timeout, progress)
            try await self.noteMove(to: directory, of: database, beforeMoving)
            return backup
        }
        for other in try directory.noteReturn(from: self.server.origins.all) {
            self.logger.warning(
                "another cluster that was restored from this backup directory is backed up elsewhere",
                metadata: ["directory": "\(directory.path)", "other": "\(other)"])
        }
        return withExtendedLifetime(lock) { backup }
    }

    /// Notes in the directories that the cluster comes from where its backups go now.
    ///
    /// This comes before the log goes only there, and with it the devices that are erased from then on: a command that is
    /// killed in between must leave no directory from which a restore doesn't find them. A directory may not be mounted,
    /// or be lost, so an error is only logged, and the next backup tries it again. So does one that finds that a directory
    /// does not lead here any more: the next one may be lost, or a restored copy of the cluster may have removed the line.
    private nonisolated func noteMove(
        to directory: BackupDirectory, of database: String, _ beforeMoving: @Sendable () async throws -> Void
    ) async throws {
        let place = self.server.place
        if self.origins(of: database).all.contains(where: { $0 != directory.path }) { try await beforeMoving() }
        var origins = self.origins(of: database)
        for path in origins.all where path != directory.path {
            let former = BackupDirectory(path: path)
            guard origins.unnoted.contains(path) || !former.leads(to: directory) else { continue }
            do {
                try former.note(successor: directory, of: database, as: place.user)
                origins.markNoted(path)
            } catch {
                guard origins.unnoted.contains(path) else { continue }
                self.logger.warning(
                    "could not note in the former backup directory where backups go now",
                    metadata: ["directory": "\(path)", "error": "\(error)"])
            }
        }
        origins.database = database
        origins.add(directory.path)
        try origins.write(to: place)
    }

    /// The directories that the cluster comes from, without those of a database that isn't here any more.
    private nonisolated func origins(of database: String) -> BackupOrigins {
        let origins = self.server.origins
        return origins.database == nil || origins.database == database ? origins : BackupOrigins()
    }

    /// Gives up a former backup directory in which it could not be noted where backups go now.
    package nonisolated func forget(_ directory: BackupDirectory) throws {
        var origins = self.server.origins
        let present = self.backupDirectory?.path
        let former = origins.unnoted.filter { $0 != present }
        guard let path = former.first(where: { $0 == directory.path || $0 == directory.given }) else {
            throw BackupError.notFormer(directory: directory.path, unnoted: former)
        }
        origins.markNoted(path)
        try origins.write(to: self.server.place)
    }
}

/// The lock on a backup directory, which one command holds while it adds or removes backups.
enum BackupLock {
    /// Checks the directory, makes it usable for the server's user, and locks it.
    static func take(_ directory: BackupDirectory, _ server: ClusterServer) async throws -> FileLock {
        let path = directory.path
        guard !(path + "/").hasPrefix(PrivateFiles.resolved(server.layout.base) + "/") else {
            throw BackupError.insideDataDirectory(path)
        }
        // The files that name it have a line for each directory.
        guard !path.utf8.contains(UInt8(ascii: "\n")) else { throw BackupError.lineBreak(directory: path) }
        // pg_verifybackup gives it to a shell, between quotation marks.
        guard !path.utf8.contains(where: { "\"$`".utf8.contains($0) }) else {
            throw BackupError.shellCharacter(directory: path)
        }
        // Not its parents: a disk that is not mounted must not be taken for an empty one.
        if mkdir(path, 0o700) == 0 {
            try server.place.files.give(path)
        } else if errno != EEXIST {
            throw BackupError.noDirectory(path)
        }
        try directory.requireSafety(from: server.place.user)
        try directory.requireNoOtherFiles()
        try server.place.files.makePrivateDirectory(directory.erasedDevices)
        try server.place.files.makePrivateDirectory(directory.archives)
        guard try await server.tool.succeeds("test", ["-w", directory.archives]) else {
            throw BackupError.unreachable(directory: directory.archives, user: server.place.user.name)
        }
        return try await Self.take(directory)
    }

    static func take(_ directory: BackupDirectory) async throws -> FileLock {
        do {
            return try await FileLock.take(
                directory.lock, exclusive: true, within: .milliseconds(500), owner: directory.files.user)
        } catch LocalClusterError.locked {
            throw BackupError.inUse(directory: directory.path)
        }
    }
}
