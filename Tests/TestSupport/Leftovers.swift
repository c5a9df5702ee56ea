import Foundation
import Glibc
import LocalPostgres
import Synchronization

/// What has to go when the process ends: Swift Testing has no place for it.
enum Leftovers {
    private struct State {
        var clusters: [ObjectIdentifier: LocalCluster] = [:]
        var collectors: Set<Int32> = []
        var directories: Set<String> = []
    }

    private static let state: Mutex<State> = {
        atexit { Leftovers.remove() }
        return Mutex(State())
    }()

    static func register(_ cluster: LocalCluster) {
        state.withLock { $0.clusters[ObjectIdentifier(cluster)] = cluster }
    }

    static func forget(_ cluster: LocalCluster) {
        state.withLock { _ = $0.clusters.removeValue(forKey: ObjectIdentifier(cluster)) }
    }

    static func register(collector pid: Int32) {
        state.withLock { _ = $0.collectors.insert(pid) }
    }

    /// A collector that ended: its number may be another's by now.
    static func forget(collector pid: Int32) {
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
            while cluster.postmasterPID != nil { usleep(10_000) }
            try? FileManager.default.removeItem(atPath: cluster.directory)
        }
        // Last, when those who wrote there have gone.
        for directory in state.directories { try? FileManager.default.removeItem(atPath: directory) }
    }
}
