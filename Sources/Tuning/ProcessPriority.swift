import Foundation

/// How much of the machine's time a process gets beside the others.
package enum ProcessPriority {
    /// Sets how nice a process of the database server is to all others: of 0 it takes its share, of 19 it leaves nearly all.
    ///
    /// Each process of PostgreSQL is a session of its own, and a kernel that groups processes by session (sched(7),
    /// autogroup) gives a session with one process as much as the collector with all its threads. It is the group that is
    /// made nice here, since anyone may take that back, which of a process (nice(2)) only root may. Where the kernel
    /// groups otherwise, or won't have it, nothing changes.
    package static func setNice(_ nice: Int, ofProcess pid: Int32) {
        guard let group = FileHandle(forWritingAtPath: "/proc/\(pid)/autogroup") else { return }
        try? group.write(contentsOf: Data("\(nice)".utf8))
        try? group.close()
    }
}
