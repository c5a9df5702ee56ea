import Foundation

/// Metrics of this process, under the standard names of Prometheus' client libraries.
package enum ProcessMetrics {
    /// Returns the metrics, or an empty list on a system without /proc.
    package static func families() -> [MetricFamily] {
        guard let stat = statistics(), stat.count > 21 else { return [] }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        let page = Double(sysconf(Int32(_SC_PAGESIZE)))
        // Fields are numbered as in proc(5). The list begins with the third.
        func field(_ number: Int) -> Double? { Double(stat[number - 3]) }
        let cpu = field(14).flatMap { user in field(15).map { (user + $0) / ticks } }
        let start = field(22).flatMap { start in bootTime().map { $0 + start / ticks } }
        return [
            .counter("process_cpu_seconds_total", "User and system CPU time used.", cpu),
            .gauge("process_resident_memory_bytes", "Resident memory.", field(24).map { $0 * page }),
            .gauge("process_virtual_memory_bytes", "Virtual memory.", field(23)),
            .gauge("process_open_fds", "Open file descriptors.", openDescriptors()),
            .gauge("process_max_fds", "Maximum number of open file descriptors.", descriptorLimit()),
            .gauge("process_start_time_seconds", "Start time of the process, in seconds since the epoch.", start),
        ]
    }

    /// Returns the fields of /proc/self/stat after the program's name, which may contain spaces.
    private static func statistics() -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[end...].dropFirst(2).split(whereSeparator: \.isWhitespace)
    }

    /// Returns the start of the system in seconds since the epoch.
    private static func bootTime() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("btime ") }
        return line.flatMap { Double($0.dropFirst(6)) }
    }

    private static func openDescriptors() -> Double? {
        // One descriptor is open only to read this directory.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    private static func descriptorLimit() -> Double? {
        var limit = rlimit()
        return getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Double(limit.rlim_cur) : nil
    }
}
