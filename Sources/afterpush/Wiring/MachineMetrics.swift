import Foundation
import HTTPTransport
import Instruments

/// Metrics of what the collector needs from its machine: space for its directories, and a certificate that is valid.
struct MachineMetrics: Sendable {
    /// A directory of the collector, as a metric label.
    enum Directory: String, Label {
        case data, spool

        static let labelName = "directory"
    }

    let directories: [Directory: String]
    let identity: TLSIdentity?

    var families: [MetricFamily] {
        var free: [Directory: Double] = [:]
        var size: [Directory: Double] = [:]
        for (directory, path) in directories {
            var status = statvfs()
            guard statvfs(path, &status) == 0 else { continue }
            free[directory] = Double(status.f_bavail) * Double(status.f_frsize)
            size[directory] = Double(status.f_blocks) * Double(status.f_frsize)
        }
        return [
            .gauge("afterpush_disk_free_bytes", "Free space of the file system of a directory.", free),
            .gauge("afterpush_disk_size_bytes", "Size of the file system of a directory.", size),
            .gauge(
                "afterpush_certificate_end_timestamp_seconds",
                "When the first TLS certificate of the chain expires, in seconds since 1970.",
                identity?.end.timeIntervalSince1970),
        ]
    }
}
