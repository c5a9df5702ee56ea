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
    /// How the spool in a data directory is; nil where there is none.
    var spool: @Sendable (_ dataDirectory: String) async -> SpoolReading? = { _ in nil }

    func findings() async -> [Finding] {
        var findings: [Finding] = []
        var directories = [settings.dataDirectory]
        if let url = settings.databaseURL {
            findings += await examine(url, "the database of --database-url")
        } else {
            let (found, directory) = await ownCluster()
            findings += found
            if let directory { directories.append(directory) }
        }
        findings += DiskExamination.findings(directories)
        if let reading = await spool(settings.dataDirectory) { findings.append(Self.spool(reading)) }
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

    private static func spool(_ reading: SpoolReading) -> Finding {
        let age = reading.oldestSeconds.map { ", the oldest for \(Int($0)) s" } ?? ""
        let text = "\(reading.bytes) bytes, \(reading.events) events wait\(age), \(reading.setAside) entries set aside"
        if !reading.isUsable {
            return Finding(
                "spool", .fail, text + "; it takes no events", advice: "see whether its disk is full or read-only")
        }
        if reading.setAside > 0 {
            return Finding(
                "spool", .warn, text, advice: "entries set aside can't be replayed: look at them, and remove them")
        }
        if let age = reading.oldestSeconds, age > 60 {
            return Finding("spool", .warn, text, advice: "PostgreSQL is away, or no collector runs to replay it")
        }
        return Finding("spool", .ok, text)
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
