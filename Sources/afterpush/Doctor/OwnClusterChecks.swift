import Foundation
import LocalPostgres
import Logging
import Storage

/// Checks the backups, the archive, the version and the files of the program's own cluster.
struct OwnClusterChecks {
    let settings: Settings
    let logger: Logger

    func findings() async -> [CheckResult] {
        guard let cluster = LocalCluster.detected(settings.cluster) else { return [] }
        var findings = [Self.backup(cluster, at: Date())]
        if let finding = Self.formerBackups(cluster) { findings.append(finding) }
        if cluster.backups != nil, cluster.isRunning { findings.append(await archive(cluster)) }
        findings.append(await upgrade(cluster))
        findings.append(files(cluster))
        return findings
    }

    /// Checks the age of the newest backup, and that nothing is missing since.
    private static func backup(_ cluster: LocalCluster.DetectedCluster, at now: Date) -> CheckResult {
        let advice = "run 'afterpush backup' once a day; see docs/backup.md"
        guard let directory = cluster.backups else {
            return CheckResult("backup", .warn, "the cluster is not backed up", advice: advice)
        }
        guard let newest = cluster.currentBackups.last else {
            return CheckResult(
                "backup", .fail, "there is no backup of this cluster in \(directory.path)", advice: advice)
        }
        let hours = Int(now.timeIntervalSince(newest.backup.endedAt) / 3_600)
        let text = "\(newest.backup.name) in \(directory.path), \(hours) h ago"
        if case let missing = newest.missingFiles, let first = missing.first {
            return CheckResult(
                "backup", .fail, "\(missing.count) files of the log since \(newest.backup.name) are missing: \(first)",
                advice: "run 'afterpush backup' now; a restore from the older one ends before that file")
        }
        switch hours {
        case ..<50: return CheckResult("backup", .ok, text)
        case ..<200: return CheckResult("backup", .warn, text, advice: advice)
        default: return CheckResult("backup", .fail, text, advice: advice)
        }
    }

    /// Checks that the directories that the cluster comes from say where its backups go.
    private static func formerBackups(_ cluster: LocalCluster.DetectedCluster) -> CheckResult? {
        // Until the first backup in a directory is complete, the others have the list of erased devices as well.
        guard let present = cluster.backups?.path, cluster.unnoted.contains(present) else { return nil }
        let former = cluster.unnoted.filter { $0 != present }
        guard !former.isEmpty else { return nil }
        return CheckResult(
            "former_backups", .warn,
            "\(former.joined(separator: ", ")): not noted there that backups go to \(present), so a restore from there "
                + "would bring back devices that were erased since",
            advice: "mount its disk and run 'afterpush backup'; if it is lost, run 'afterpush backup forget DIRECTORY'")
    }

    /// Asks the server whether it can archive its log.
    private func archive(_ cluster: LocalCluster.DetectedCluster) async -> CheckResult {
        do {
            let health = try await ArchiveHealth.read(cluster.conninfo, logger: logger)
            let last = health.age.map { "the last \(Int($0 / 60)) min ago" } ?? "none so far"
            guard health.hasFailed || health.waiting > 64 else {
                return CheckResult("archive", .ok, "files of the log are archived, \(last); \(health.waiting) wait")
            }
            return CheckResult(
                "archive", .fail,
                (health.hasFailed
                    ? "\(health.file ?? "a file of the log") can't be archived, \(last)" : "the archive is behind")
                    + "; \(health.waiting) files wait, and fill the disk of the cluster",
                advice: "see the end of postgres.log; check the disk and the permissions of the backup directory")
        } catch {
            return CheckResult(
                "archive", .fail, "the server was not asked: \(error)", advice: "see the check of the database")
        }
    }

    private func upgrade(_ cluster: LocalCluster.DetectedCluster) async -> CheckResult {
        let text = "the cluster is of PostgreSQL \(cluster.version)"
        do {
            let installed = try await LocalCluster.installedVersions(settings.cluster)
            guard installed.contains(cluster.version) else {
                return CheckResult(
                    "upgrade", .fail, "\(text), which is not installed (\(installed.joined(separator: ", ")) is)",
                    advice: "install postgresql-\(cluster.version); 'afterpush upgrade' also needs it")
            }
            let newest = installed.compactMap { Int($0) }.max().map(String.init) ?? cluster.version
            guard newest != cluster.version else { return CheckResult("upgrade", .ok, "\(text), the newest installed") }
            return CheckResult(
                "upgrade", .warn, "\(text), and \(newest) is installed",
                advice: "stop serve, then run 'afterpush upgrade'; see docs/upgrade.md")
        } catch {
            return CheckResult("upgrade", .fail, "\(error)", advice: "install PostgreSQL")
        }
    }

    /// Checks that no other user can read what holds events or secrets, and that nothing was left behind.
    private func files(_ cluster: LocalCluster.DetectedCluster) -> CheckResult {
        var findings: [String] = []
        var paths = [cluster.directory + "/postgres", cluster.directory + "/socket"]
        // The server's user says where the backups are: advice about the files of others would be that user's.
        let owner = Self.owner(cluster.directory + "/postgres")
        let backups = cluster.backups.map { [$0.path + "/archives", $0.erasedDevices] } ?? []
        paths += backups.filter { Self.owner($0) == owner }
        if settings.spoolBytes > 0 { paths.append(settings.spoolDirectory) }
        paths += settings.configFile.map { Self.hasSecret($0) ? [$0] : [] } ?? []
        for check in [
            { try LocalCluster.requireSafety(settings.cluster) },
            { try cluster.backups?.requireSafety(settings.cluster) },
        ] {
            do { try check() } catch { findings.append("\(error)") }
        }
        for path in paths where Self.isReadableByOthers(path) { findings.append("other users can read \(path)") }
        let isBusy = cluster.workplaces.contains { !$0.hasSuffix("/verifying") }
        if isBusy { findings.append("a restore or an upgrade is running or was interrupted") }
        for name in cluster.former { findings.append("\(name) in \(cluster.directory) takes space") }
        guard !findings.isEmpty else { return CheckResult("files", .ok, "only their owner can read them") }
        return CheckResult(
            "files", .warn, findings.joined(separator: "; "),
            advice: "run chmod o= on what others can read; remove what a restore has moved aside once you don't need it"
        )
    }

    /// Whether a config file names a password, by its key or in a URL.
    private static func hasSecret(_ path: String) -> Bool {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.contains(/"password"|:\/\/[^\/@"]+:[^\/@"]+@/)
    }

    private static func owner(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.ownerAccountID] as? Int
    }

    private static func isReadableByOthers(_ path: String) -> Bool {
        let mode = try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        return (mode ?? 0) & 0o004 != 0
    }
}
