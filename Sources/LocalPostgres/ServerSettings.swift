import Foundation

/// The server's settings, which depend on the machine's memory.
struct ServerSettings: Sendable {
    let memory: Int
    let socketDirectory: String
    let maxConnections: Int
    let throwaway: Bool
    /// The compression of pages in the write-ahead log: `lz4`, or `off` if the server doesn't support it.
    ///
    /// `pglz`, which every server supports, is not used because it lowers the rate of stored events by a quarter.
    let pageCompression: String
    /// Whether the cluster's archive script keeps the write-ahead log.
    var isArchiving = false
    /// The loopback address on which report logins can reach the server, and the file of the rules for that.
    var reports: (address: String, rules: String)?
    /// The settings of a recovery from a backup.
    var recovery: RecoveryTarget?

    /// The rules for connections over TCP: roles that only read the reports of an app, with their passwords. The
    /// superuser is refused, because no password protects it.
    ///
    /// - Parameter others: The rules of the cluster's own file, which apply to all else.
    static func rules(before others: String) -> String {
        """
        # Written by afterpush at each start: changes here are lost. Put yours into pg_hba.conf, and restart.
        host all +afterpush_report all scram-sha-256
        host all all all reject

        \(others)
        """
    }

    /// The text of the configuration file that `postgresql.conf` includes.
    var text: String {
        let settings = self.access + self.sizes + self.durability + self.archiving + self.logging
        let lines = settings.map { "\($0.0) = \($0.1)" }
        return """
            # Written by afterpush at each start: changes here are lost.
            # Put your own below the include line of postgresql.conf, or use ALTER SYSTEM.
            \(lines.joined(separator: "\n"))

            """
    }

    /// The settings of access, which allow only a socket in a private directory, and logins of reports on an address of
    /// this machine.
    private var access: [(String, String)] {
        // The setting is a list, and its elements have their own quotes.
        let directory = "\"\(self.socketDirectory.replacing("\"", with: "\"\""))\""
        return (self.reports.map { [("hba_file", Self.quoted($0.rules))] } ?? []) + [
            ("listen_addresses", Self.quoted(self.reports?.address ?? "")),
            ("unix_socket_directories", Self.quoted(directory)),
            ("unix_socket_permissions", "0700"),
            ("port", "\(ClusterLayout.port)"),
            ("max_connections", "\(self.maxConnections)"),
            // Enough for every connection to lock all tables, partitions and indexes. A prepared transaction would
            // outlive its session, and keep its locks.
            ("max_locks_per_transaction", "256"),
            ("max_prepared_transactions", "0"),
            ("cluster_name", "'afterpush'"),
        ]
    }

    private var sizes: [(String, String)] {
        let megabytes = self.memory >> 20
        func share(_ part: Int, atLeast low: Int, atMost high: Int) -> String {
            "\(min(max(megabytes / part, low), high))MB"
        }
        return [
            // Above some gigabytes the kernel's cache is as good, and checkpoints take longer.
            ("shared_buffers", share(4, atLeast: 64, atMost: self.throwaway ? 64 : 8_192)),
            ("effective_cache_size", share(2, atLeast: 128, atMost: 1 << 20)),
            ("maintenance_work_mem", share(32, atLeast: 32, atMost: 512)),
            ("work_mem", share(256, atLeast: 4, atMost: 64)),
            ("max_wal_size", self.throwaway ? "256MB" : "4GB"),
            ("min_wal_size", self.throwaway ? "32MB" : "512MB"),
            ("checkpoint_timeout", "15min"),
            ("checkpoint_completion_target", "0.9"),
            ("wal_compression", self.pageCompression),
            ("random_page_cost", "1.1"),
            ("autovacuum_vacuum_scale_factor", "0.05"),
            ("autovacuum_analyze_scale_factor", "0.05"),
            // Compiling a report would take longer than running it.
            ("jit", "off"),
        ]
    }

    private var durability: [(String, String)] {
        let value = self.throwaway ? "off" : "on"
        // Synchronous commit survives a killed server and costs little without fsync.
        return [("fsync", value), ("synchronous_commit", "on"), ("full_page_writes", value)]
    }

    /// The settings of the archive of the write-ahead log, and of a recovery from it.
    ///
    /// The mode is always on, because it can't be changed while the server runs. Commands run in the data directory.
    private var archiving: [(String, String)] {
        if let recovery { return recovery.enforced.map { ($0.0, Self.quoted($0.1)) } }
        if self.throwaway { return [] }
        return [
            ("archive_mode", "on"),
            ("archive_command", self.isArchiving ? "'sh ./afterpush.archive \"%p\" \"%f\"'" : "'true'"),
            // The most that is lost with the disk of the cluster.
            ("archive_timeout", self.isArchiving ? "60s" : "0"),
        ]
    }

    /// The settings of the log, which must not contain data of events or grow during normal operation.
    private var logging: [(String, String)] {
        [
            ("log_line_prefix", "'%m [%p] %a '"),
            ("log_error_verbosity", "terse"),
            // A statement has kilobytes, and an error that is part of normal operation can repeat: an event that is
            // stored already is found by its key. The program logs what fails.
            ("log_min_error_statement", "panic"),
            ("log_parameter_max_length", "0"),
            ("log_parameter_max_length_on_error", "0"),
            ("log_checkpoints", "off"),
            ("log_timezone", "'UTC'"),
            ("timezone", "'UTC'"),
        ]
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "''"))'"
    }
}

/// The moment to which a backup is recovered.
struct RecoveryTarget: Sendable {
    /// The moment, or nil for everything that was archived.
    let moment: Date?

    /// The moment with microseconds, as PostgreSQL reads it here: it knows no `Z`.
    var text: String? {
        self.moment.map { moment in
            let microseconds = Int((moment.timeIntervalSince1970 * 1_000_000).rounded())
            let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
            let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
            let digits = String(String(fraction + 1_000_000).dropFirst())
            return text.replacing("T", with: " ").replacing("Z", with: ".\(digits)+00")
        }
    }

    /// The settings of the recovery, which go into the file of settings and on the server's command line.
    var enforced: [(String, String)] {
        let common = [
            ("archive_mode", "off"), ("restore_command", "sh ../restore-wal \"%f\" \"%p\""),
            // Sessions wait until the recovery is complete.
            ("hot_standby", "off"), ("recovery_target_timeline", "current"),
        ]
        guard let text = self.text else { return common }
        return common + [("recovery_target_time", text), ("recovery_target_action", "promote")]
    }
}

/// The memory that this program and its server can use.
enum MachineMemory {
    /// The machine's memory in bytes, or the limit of the container or of the service's unit if that is less.
    static var available: Int {
        let group = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        let limits = Self.limitFiles(ofGroup: group).compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            .compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        return limits.reduce(Int(clamping: ProcessInfo.processInfo.physicalMemory), min)
    }

    /// The files with the limits of a control group and of all above it.
    ///
    /// - Parameter group: The text of `/proc/self/cgroup`.
    static func limitFiles(ofGroup group: String) -> [String] {
        var files = ["/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        let path = group.split(separator: "\n").first { $0.hasPrefix("0::/") }.map { $0.dropFirst("0::/".count) }
        var directory = "/sys/fs/cgroup"
        var directories = [directory]
        for part in (path ?? "").split(separator: "/") {
            directory += "/\(part)"
            directories.append(directory)
        }
        for directory in directories { files += ["\(directory)/memory.max", "\(directory)/memory.high"] }
        return files
    }
}
