package import Foundation

/// An error of a backup or a restore; `description` is one line for the operator.
package enum BackupError: Error, Sendable, Equatable {
    case noDirectory(String)
    case insideDataDirectory(String)
    case lineBreak(directory: String)
    case shellCharacter(directory: String)
    case notThere(directory: String)
    case notFormer(directory: String, unnoted: [String])
    case unreachable(directory: String, user: String)
    case foreignOwner(directory: String, owner: String, user: String)
    case writableByAll(directory: String)
    case writableByGroup(directory: String, group: String)
    case otherDatabase(directory: String)
    case otherFiles(directory: String, name: String)
    case inUse(directory: String)
    case noSpace(directory: String, needed: Int, free: Int)
    case notArchiving
    case throwaway
    case archiveFails(reason: String)
    case noBackup(directory: String)
    case unreadable(String)
    case unknownBackup(String)
    case noSuccessor(directory: String, successor: String)
    case momentTooEarly(earliest: Date)
    case damaged(backup: String, reason: String)
    case missingWAL([String])
    case archiveEnds(wanted: String, last: String?, missing: [String])
    case endedEarly(at: String, newest: String)
    case recoveryFailed(reason: String, log: String)
    case clusterExists(directory: String)
    case clusterInUse(directory: String)
    case noExchange(directory: String, reason: String)
}

extension BackupError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noDirectory(let path):
            "the backup directory \(path) does not exist: create it, or mount its disk"
        case .insideDataDirectory(let path):
            "the backup directory \(path) is inside the data directory: backups must survive its loss"
        case .lineBreak(let directory):
            "the name of the backup directory \(directory) has a line break: name another directory"
        case .shellCharacter(let directory):
            "the name of the backup directory \(directory) has a quotation mark, dollar sign or backtick, with which "
                + "PostgreSQL can't verify backups: name another directory"
        case .notThere(let directory):
            "the backups of this database are not in \(directory): its disk may not be mounted"
        case .notFormer(let directory, let unnoted):
            "\(directory) is not waiting for a note of where backups go now"
                + (unnoted.isEmpty ? "" : "; these are: \(unnoted.joined(separator: ", "))")
        case .unreachable(let directory, let user):
            "user \(user) can't write to \(directory): make its parent directories executable for all users"
        case .foreignOwner(let directory, let owner, let user):
            "\(directory) belongs to \(owner), who could exchange the backups, and with them what PostgreSQL starts with: "
                + "name a directory of root or \(user), or give it to \(user) with chown"
        case .writableByAll(let directory):
            "all users can change \(directory), and so exchange the backups: run chmod o-w on it"
        case .writableByGroup(let directory, let group):
            "the group \(group) can change \(directory), and so exchange the backups: run chmod g-w on it"
        case .otherDatabase(let directory):
            "\(directory) holds the backups of another database: name another directory"
        case .otherFiles(let directory, let name):
            "\(directory) is no backup directory, and has other files, such as \(name): name an empty one"
        case .inUse(let directory):
            "another command is using \(directory)"
        case .noSpace(let directory, let needed, let free):
            "\(directory) has \(free >> 20) MiB free, but \(needed >> 20) MiB are needed"
        case .notArchiving:
            "the running PostgreSQL was started by an older program: restart `afterpush serve`, then back up"
        case .throwaway:
            "a test's throwaway cluster can't be backed up"
        case .archiveFails(let reason):
            "the write-ahead log is not archived: \(reason)"
        case .unreadable(let path):
            "\(path) can't be read, so nothing is removed: what it needs is not known"
        case .noBackup(let directory):
            "there is no complete backup in \(directory)"
        case .unknownBackup(let name):
            "there is no complete backup \(name); `afterpush backup list` names them"
        case .noSuccessor(let directory, let successor):
            "backups went on in \(successor), which isn't there with its list of devices erased since: copy the files of "
                + "its `erased` to \(directory)/erased, or do without if it is lost, and remove its line from "
                + "\(directory)/moved"
        case .momentTooEarly(let earliest):
            "no backup is old enough: the earliest moment is \(earliest.formatted(.iso8601))"
        case .damaged(let backup, let reason):
            "the backup \(backup) is damaged: \(reason)"
        case .missingWAL(let names):
            "files of the write-ahead log are missing, so the restore would be incomplete: \(Self.list(names)); "
                + "restore to a moment before them with --to"
        case .archiveEnds(let wanted, let last, let missing):
            "the archive has nothing as late as \(wanted)"
                + (last.map { "; its last transaction is of \($0)" } ?? "")
                + (missing.isEmpty ? "" : "; files are missing: \(Self.list(missing))")
                + ": give an earlier moment, or --to latest"
        case .endedEarly(let position, let newest):
            "the recovery ended at \(position), before \(newest), which was in the archive when it began: "
                + "a file is damaged"
        case .recoveryFailed(let reason, let log):
            "PostgreSQL could not recover the backup: \(reason) (see \(log))"
        case .clusterExists(let directory):
            "\(directory) has a cluster: name a new data directory, or move the cluster aside with --replace"
        case .clusterInUse(let directory):
            "a program uses the cluster in \(directory): stop it first"
        case .noExchange(let directory, let reason):
            "the cluster in \(directory) can't be exchanged (\(reason)): move it away, and restore again"
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }
}
