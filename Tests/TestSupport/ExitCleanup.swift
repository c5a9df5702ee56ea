import Foundation
import Glibc
import LocalPostgres
import Synchronization

/// Cleans up when the process ends, for which Swift Testing has no hook.
package enum ExitCleanup {
    private struct State {
        var clusters: [ObjectIdentifier: LocalCluster] = [:]
        var collectors: Set<Int32> = []
        var directories: Set<String> = []
    }

    private static let state: Mutex<State> = {
        atexit { ExitCleanup.remove() }
        return Mutex(State())
    }()

    static func register(_ cluster: LocalCluster) {
        state.withLock { $0.clusters[ObjectIdentifier(cluster)] = cluster }
    }

    static func forget(_ cluster: LocalCluster) {
        state.withLock { _ = $0.clusters.removeValue(forKey: ObjectIdentifier(cluster)) }
    }

    package static func register(collector pid: Int32) {
        state.withLock { _ = $0.collectors.insert(pid) }
    }

    /// Forgets a collector that has ended, because its pid may be reused.
    package static func forget(collector pid: Int32) {
        state.withLock { _ = $0.collectors.remove(pid) }
    }

    static func register(directory: String) {
        state.withLock { _ = $0.directories.insert(directory) }
    }

    private static func remove() {
        let state = state.withLock { $0 }
        for pid in state.collectors { kill(pid, SIGKILL) }
        for cluster in state.clusters.values {
            if let pid = cluster.postmasterPID { kill(pid, SIGQUIT) }
            // PostgreSQL needs 5 s at most. A server that stays must not keep the tests from ending.
            for _ in 0..<3000 where cluster.postmasterPID != nil { usleep(10_000) }
            if let pid = cluster.postmasterPID {
                FileHandle.standardError.write(Data("PostgreSQL \(pid) in \(cluster.directory) did not end\n".utf8))
            }
            try? FileManager.default.removeItem(atPath: cluster.directory)
        }
        // Last, when the processes that write to them have ended.
        for directory in state.directories { try? FileManager.default.removeItem(atPath: directory) }
    }
}
