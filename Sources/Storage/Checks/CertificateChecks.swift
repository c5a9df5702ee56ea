package import Foundation

/// Checks when the TLS certificate expires.
package enum CertificateChecks {
    private static let soon = 14

    package static func finding(end: Date, at now: Date) -> CheckResult {
        let days = Int((end.timeIntervalSince(now) / 86_400).rounded(.down))
        let date = end.formatted(.iso8601.year().month().day())
        let advice = "renew it, and send SIGHUP to the collector: it then reads the new files without a restart"
        if days < 0 { return CheckResult("certificate", .fail, "it expired on \(date)", advice: advice) }
        guard days < soon else { return CheckResult("certificate", .ok, "it is valid until \(date)") }
        let rest = days == 1 ? "1 day" : "\(days) days"
        return CheckResult("certificate", .warn, "it expires on \(date), in \(rest)", advice: advice)
    }
}
