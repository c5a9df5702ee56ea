import Foundation
import Glibc

/// A cluster's server process, according to `postmaster.pid` and /proc.
struct Postmaster: Sendable, Equatable {
    let pid: Int32
    /// The status `starting`, `ready`, `stopping` or `standby`; empty before the server has written it.
    let status: String

    /// Returns the server that `postmaster.pid` names, which may no longer be running.
    static func recorded(in cluster: String) -> Postmaster? {
        guard let text = try? PrivateFiles.text(of: Self.file(cluster), limit: 4_096) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, let pid = Int32(first), pid > 0 else { return nil }
        let status = lines.count > 7 ? lines[7].trimmingCharacters(in: .whitespaces) : ""
        return Postmaster(pid: pid, status: status)
    }

    /// Returns the recorded server if its process exists and has this cluster as its working directory.
    static func running(in cluster: String) -> Postmaster? {
        Self.recorded(in: cluster).flatMap { Self.serves($0.pid, cluster) ? $0 : nil }
    }

    /// Returns the IDs of the server processes in the cluster's directory, including those of a killed postmaster.
    static func processes(in cluster: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { Self.serves($0, cluster) }
    }

    /// Removes `postmaster.pid` if its process ID now belongs to another program or a zombie.
    ///
    /// PostgreSQL itself would take that process for a server. Call this only if `processes(in:)` is empty.
    static func removeStaleRecord(in place: ClusterLocation) {
        let cluster = place.layout.cluster
        guard let recorded = Self.recorded(in: cluster), !Self.serves(recorded.pid, cluster) else { return }
        guard kill(recorded.pid, 0) == 0 || errno == EPERM else { return }
        try? place.files.unlink(Self.file(cluster))
    }

    private static func file(_ cluster: String) -> String { cluster + "/postmaster.pid" }

    private static func serves(_ pid: Int32, _ cluster: String) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let nameStart = stat.firstIndex(of: "("), let nameEnd = stat.lastIndex(of: ")")
        else { return false }
        let name = stat[stat.index(after: nameStart)..<nameEnd]
        let state = stat[nameEnd...].dropFirst(2).first
        guard name == "postgres", state != "Z", state != "X" else { return false }
        let directory = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd")
        return directory == PrivateFiles.resolved(cluster)
    }
}
