import AfterpushWire
import Foundation
import LocalPostgres
import Logging
import Reports
import Storage

/// Runs the checks of `afterpush doctor`. It changes nothing, and works with or without a running collector.
struct Doctor {
    let settings: Settings
    let reportsDirectory: String?
    let logger: Logger

    func findings() async -> [CheckResult] {
        var findings: [CheckResult] = []
        var directories = [settings.dataDirectory, settings.spoolDirectory]
        if let url = settings.databaseURL {
            findings += await check(url, "the database of --database-url")
        } else {
            let (found, directory) = await ownCluster()
            findings += found
            findings += await OwnClusterChecks(settings: settings, logger: logger).findings()
            if let directory { directories.append(directory) }
        }
        if let replica = settings.reportsReplica, let conninfo = settings.databaseURL ?? ownConninfo {
            findings.append(
                await DatabaseChecks.replica(
                    replica.conninfo, of: conninfo, maxLag: replica.maxLag, logger: logger))
        }
        findings += DiskChecks.findings(directories)
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        if let finding = await SpoolChecks.finding(settings.spoolDirectory, at: now) { findings.append(finding) }
        findings.append(reports)
        findings += await UnitChecks(settings: settings).findings()
        findings += CollectorChecks(server: settings.server).findings()
        return findings
    }

    private func check(_ conninfo: String, _ address: String) async -> [CheckResult] {
        await DatabaseChecks(conninfo: conninfo, logger: logger).findings(address: address)
    }

    /// The connection string of the program's own cluster if it is running.
    private var ownConninfo: String? {
        let cluster = LocalCluster.detected(LocalCluster.Configuration(dataDirectory: settings.dataDirectory))
        return cluster.flatMap { $0.isRunning ? $0.conninfo : nil }
    }

    /// Checks the program's own cluster, without creating or starting it.
    private func ownCluster() async -> (findings: [CheckResult], directory: String?) {
        let configuration = LocalCluster.Configuration(dataDirectory: settings.dataDirectory)
        guard let cluster = LocalCluster.detected(configuration) else {
            let finding = CheckResult(
                "database", .fail, "there is no database URL, and no cluster in \(settings.absoluteDataDirectory)",
                advice: "give --database-url or --data-dir; 'afterpush serve' creates a cluster when it first starts")
            return ([finding], nil)
        }
        guard cluster.isRunning else {
            let finding = CheckResult(
                "database", .fail, "the cluster in \(cluster.directory) is not running",
                advice: "start 'afterpush serve', which starts it; if that fails, see postgres.log there")
            return ([finding], cluster.directory)
        }
        return (await check(cluster.conninfo, "the cluster in \(cluster.directory)"), cluster.directory)
    }

    private var reports: CheckResult {
        let catalogue = ReportService.catalogue(directory: reportsDirectory)
        guard catalogue.problems.isEmpty else {
            let problems = catalogue.problems.map { "\($0)" }.joined(separator: "; ")
            return CheckResult("reports", .fail, problems, advice: "correct the file, or move it out of --reports")
        }
        return CheckResult("reports", .ok, "\(catalogue.reports.count) valid reports")
    }
}
