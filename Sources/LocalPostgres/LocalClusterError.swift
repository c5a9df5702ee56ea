/// An error that prevents the use of a local cluster; `description` is one line for the operator.
package enum LocalClusterError: Error, Sendable, Equatable {
    case binariesMissing(searched: [String])
    case versionMismatch(directory: String, data: String, installed: String)
    case noSuchUser(String)
    case foreignPrograms(directory: String, reason: String)
    case foreignOwner(directory: String, owner: String)
    case unreachable(directory: String, user: String)
    case unsafeDirectory(String)
    case writableByAll(directory: String)
    case replaceable(directory: String, reason: String)
    case untrusted(directory: String, user: String, reason: String)
    case noPermission(path: String, reason: String)
    case notThrowaway(directory: String)
    case throwawayOnly(directory: String)
    case locked(path: String)
    case orphans([Int32])
    case toolFailed(tool: String, reason: String)
    case startFailed(reason: String, log: String)
    case startTimeout(log: String)
}

extension LocalClusterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .binariesMissing(let searched):
            "PostgreSQL's server programs were not found (searched \(searched.joined(separator: ", "))): "
                + "install Debian's package `postgresql`, or set AFTERPUSH_POSTGRES_BIN to their directory"
        case .versionMismatch(let directory, let data, let installed):
            "\(directory) was made by PostgreSQL \(data), but \(installed) is installed: "
                + "install postgresql-\(data); `afterpush upgrade` then moves it to a newer version"
        case .foreignPrograms(let directory, let reason):
            "root runs only programs that root alone can change, not PostgreSQL's in \(directory): \(reason)"
        case .noSuchUser(let name):
            "there is no user \(name) to run PostgreSQL as"
        case .foreignOwner(let directory, "root"):
            "\(directory) belongs to root: name another directory with --data-dir, or run this program as root"
        case .foreignOwner(let directory, let owner):
            "\(directory) belongs to \(owner): run this program as \(owner) or as root"
        case .unreachable(let directory, let user):
            "user \(user) can't access \(directory): make its parent directories executable for all users"
        case .unsafeDirectory(let path):
            "\(path) is not a private directory of the server's user: give it to that user, and run chmod 700 on it"
        case .writableByAll(let directory):
            "all users can change \(directory), and with it what PostgreSQL starts with: run chmod o-w on it"
        case .replaceable(let directory, let reason):
            "others could replace \(directory), because \(reason): name another one with AFTERPUSH_DATA_DIR, below "
                + "directories that only root and the program's user can change"
        case .untrusted(let directory, let user, let reason):
            "root does not go on as \(user), who owns \(directory), because \(reason): give it to root or to the user of "
                + "AFTERPUSH_POSTGRES_USER, let no other users or groups write there, or name another directory"
        case .noPermission(let path, let reason):
            "can't use \(path): \(reason)"
        case .notThrowaway(let directory):
            "\(directory) contains a real cluster, which a test must not open: it could lose data"
        case .throwawayOnly(let directory):
            "\(directory) contains a test's throwaway cluster: remove it"
        case .locked(let path):
            "another program is still starting or stopping PostgreSQL (it holds \(path))"
        case .orphans(let pids):
            "server processes of a killed PostgreSQL are still running: \(pids.map(String.init).joined(separator: ", "))"
        case .toolFailed(let tool, let reason):
            "\(tool) failed: \(reason)"
        case .startFailed(let reason, let log):
            "PostgreSQL did not start: \(reason) (see \(log))"
        case .startTimeout(let log):
            "PostgreSQL did not become ready within the time limit (see \(log))"
        }
    }
}
