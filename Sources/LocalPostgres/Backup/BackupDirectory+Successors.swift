import Files
import Foundation
import Glibc

/// The directories where backups went on, which the file `moved` names, a line each.
///
/// There is more than one if a cluster that was restored from here is backed up elsewhere, and another one still here.
extension BackupDirectory {
    private var successorsFile: String { self.path + "/moved" }

    /// Returns the directories where backups went on, from here or from another of them, or throws if one isn't there.
    package func successors() throws -> [BackupDirectory] {
        let database = self.database
        var found = [self]
        var next = 0
        while next < found.count {
            let directory = found[next]
            next += 1
            for path in try directory.successorPaths() {
                let successor = BackupDirectory(path: path)
                // One of them, or a copy of one, can name another that names it.
                guard !found.contains(where: { $0.path == successor.path }) else { continue }
                guard let owner = successor.database, owner == database else {
                    throw BackupError.noSuccessor(directory: directory.path, successor: successor.path)
                }
                found.append(successor)
            }
        }
        return Array(found.dropFirst())
    }

    /// Whether a restore from here reads the list of erased devices in another directory, too.
    func leads(to other: BackupDirectory) -> Bool {
        (try? self.successors())?.contains { $0.path == other.path } ?? false
    }

    /// Notes where backups go from now on, so that a restore from here finds the devices that are erased meanwhile.
    ///
    /// Throws if the backups of the database are not here, as when the disk is not mounted.
    ///
    /// - Parameter user: The server's user, who may have named this directory.
    func note(successor: BackupDirectory, of database: String, as user: SystemUser) throws {
        try self.act(as: user) {
            guard self.database == database else { throw BackupError.notThere(directory: self.path) }
            let paths = try self.successorPaths()
            guard !paths.contains(successor.path) else { return }
            try self.write(paths + [successor.path], PrivateFiles(user: .current))
        }
    }

    /// Notes that backups of a cluster go here again, and returns where those of other clusters went on.
    ///
    /// - Parameter former: The directories that the backups of this cluster went to before.
    func noteReturn(from former: [String]) throws -> [String] {
        let paths = try self.successorPaths()
        let others = paths.filter { !former.contains(BackupDirectory(path: $0).path) }
        if others.isEmpty {
            try self.files.unlink(self.successorsFile)
        } else if others.count < paths.count {
            try self.write(others, self.files)
        }
        return others
    }

    private func successorPaths() throws(LocalClusterError) -> [String] {
        guard FileManager.default.fileExists(atPath: self.successorsFile) else { return [] }
        let text = try PrivateFiles.text(of: self.successorsFile)
        return text.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    private func write(_ paths: [String], _ files: PrivateFiles) throws(LocalClusterError) {
        try files.write(paths.map { $0 + "\n" }.joined(), to: self.successorsFile)
        // From now on, the cluster relies on it.
        try files.sync(self.path)
    }

    /// Runs operations with root's rights if only root can change what the directory's path leads to, else with those of
    /// the server's user.
    private func act(as user: SystemUser, _ operations: () throws -> Void) throws {
        do throws(TrustedPath.Untrusted) {
            try TrustedPath.require(self.path, owners: [0], above: [0])
        } catch {
            return try user.act(operations)
        }
        try operations()
    }

    /// Whether a path is absolute, and has no part that leads elsewhere than it seems.
    static func isPlain(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count > 1 && parts[0].isEmpty
            && parts.dropFirst().allSatisfy {
                !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
            }
            && !path.utf8.contains(0) && !path.utf8.contains(UInt8(ascii: "\n"))
    }
}
