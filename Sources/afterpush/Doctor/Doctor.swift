import AfterpushWire
import Foundation
import LocalPostgres
import Logging
import Reports
import Storage

/// Looks over everything that an operator would, and changes nothing; no collector needs to run.
struct Doctor {
    let settings: Settings
    let reportsDirectory: String?
    let logger: Logger

    func findings() async -> [Finding] {
        var findings: [Finding] = []
        var directories = [settings.dataDirectory, settings.spoolDirectory]
        if let url = settings.databaseURL {
            findings += await examine(url, "the database of --database-url")
        } else {
            let (found, directory) = await ownCluster()
            findings += found
            if let directory { directories.append(directory) }
        }
        findings += DiskExamination.findings(directories)
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        if let finding = await SpoolExamination.finding(settings.spoolDirectory, at: now) { findings.append(finding) }
        findings.append(reports)
        return findings
    }

    private func examine(_ conninfo: String, _ address: String) async -> [Finding] {
        await DatabaseExamination(conninfo: conninfo, logger: logger).findings(address: address)
    }

    /// The program's own cluster as it is: it is neither made nor started.
    private func ownCluster() async -> (findings: [Finding], directory: String?) {
        let configuration = LocalCluster.Configuration(dataDirectory: settings.dataDirectory)
        guard let cluster = LocalCluster.sighting(configuration) else {
            let finding = Finding(
                "database", .fail, "there is no database URL, and no cluster in \(settings.dataDirectory)",
                advice: "give --database-url or --data-dir; 'afterpush serve' makes a cluster at its first start")
            return ([finding], nil)
        }
        guard cluster.isRunning else {
            let finding = Finding(
                "database", .fail, "the cluster in \(cluster.directory) is not running",
                advice: "it runs while 'afterpush serve' does: start that; if it fails, see postgres.log there")
            return ([finding], cluster.directory)
        }
        return (await examine(cluster.conninfo, "the cluster in \(cluster.directory)"), cluster.directory)
    }

    private var reports: Finding {
        let catalogue = ReportDesk.catalogue(directory: reportsDirectory)
        guard catalogue.problems.isEmpty else {
            let problems = catalogue.problems.map { "\($0)" }.joined(separator: "; ")
            return Finding("reports", .fail, problems, advice: "correct the file, or take it out of --reports")
        }
        return Finding("reports", .ok, "\(catalogue.reports.count) can be served")
    }
}
