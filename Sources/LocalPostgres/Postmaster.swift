import Foundation
import Glibc

/// What `postmaster.pid` and /proc say about a cluster's server.
struct Postmaster: Sendable, Equatable {
    let pid: Int32
    /// `starting`, `ready`, `stopping` or `standby`; empty before the server has got that far.
    let status: String

    /// The server as recorded in the cluster's directory, whether it still runs or not.
    static func recorded(in cluster: String) -> Postmaster? {
        guard let text = try? String(contentsOfFile: Self.file(cluster), encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, let pid = Int32(first), pid > 0 else { return nil }
        let status = lines.count > 7 ? lines[7].trimmingCharacters(in: .whitespaces) : ""
        return Postmaster(pid: pid, status: status)
    }

    /// The recorded server, if its process is there and works in this cluster's directory.
    static func running(in cluster: String) -> Postmaster? {
        Self.recorded(in: cluster).flatMap { Self.serves($0.pid, cluster) ? $0 : nil }
    }

    /// Server processes in the cluster's directory: after a kill of the postmaster, those it left behind.
    static func processes(in cluster: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { Self.serves($0, cluster) }
    }

    /// Removes a record that PostgreSQL itself would believe: its pid exists again, as another program or a zombie.
    ///
    /// Only to be called when `processes(in:)` is empty.
    static func removeStaleRecord(in cluster: String) {
        guard let recorded = Self.recorded(in: cluster), !Self.serves(recorded.pid, cluster) else { return }
        guard kill(recorded.pid, 0) == 0 || errno == EPERM else { return }
        unlink(Self.file(cluster))
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
