import Foundation

/// How much memory this program and its server may use.
enum MachineMemory {
    /// Bytes: the machine's, or the container's limit if that is less.
    static var available: Int {
        let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
            .compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            .compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        return limits.reduce(Int(clamping: ProcessInfo.processInfo.physicalMemory), min)
    }
}
