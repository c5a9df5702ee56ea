import Foundation
import HTTPTransport
import LocalPostgres
import Server
import Storage

/// Checks the systemd unit of the package, as far as an operator's override can break it.
struct UnitChecks {
    let settings: Settings

    static let unit = "afterpush.service"

    func findings() async -> [CheckResult] { [await finding()] }

    private func finding() async -> CheckResult {
        guard let properties = await UnitProperties.read(Self.unit) else {
            return CheckResult("unit", .ok, "not checked, because systemd does not run here")
        }
        guard properties["LoadState"] != "not-found" else {
            return CheckResult("unit", .ok, "not checked, because systemd has no \(Self.unit)")
        }
        if let file = properties.environment["AFTERPUSH_CONFIG"], file != settings.configFile {
            return CheckResult("unit", .ok, "not checked, because \(Self.unit) has other settings: \(file)")
        }
        let problems = problems(properties)
        guard let worst = problems.max(by: { $0.level < $1.level }) else {
            let files = properties.limit("LimitNOFILE").map { "\($0) open files" } ?? "any number of open files"
            let memory = properties.limit("MemoryMax").map { "\($0 >> 20) MiB of memory" } ?? "no limit of memory"
            return CheckResult(
                "unit", .ok,
                "\(Self.unit) has \(files), \(memory), restarts \(properties["Restart"]), is confined as packaged")
        }
        return CheckResult(
            "unit", worst.level == .failure ? .fail : .warn,
            "\(Self.unit): " + problems.map(\.text).joined(separator: "; "),
            advice: problems.map(\.advice).joined(separator: "; ") + Self.howToChange(properties))
    }

    private static func howToChange(_ properties: UnitProperties) -> String {
        let files = properties["DropInPaths"]
        return files.isEmpty ? "; change it with 'systemctl edit \(unit)'" : "; it is overridden by \(files)"
    }

    private func problems(_ properties: UnitProperties) -> [UnitProblem] {
        let cluster = settings.databaseURL == nil ? LocalCluster.detected(settings.cluster) : nil
        var directories = [settings.spoolDirectory]
        if settings.databaseURL == nil {
            directories.append(settings.dataDirectory)
            // The server of the cluster writes the archive.
            if let path = cluster?.backups?.path ?? settings.backupDirectory { directories.append(path) }
        }
        return properties.problemsOfState
            + properties.problemsOfLimits(
                connections: settings.server.limits.connections, bodyMemory: settings.server.limits.bodyMemory,
                ownsServer: settings.databaseURL == nil)
            + properties.problemsOfStopping(ownsServer: settings.databaseURL == nil)
            + properties.problemsOfConfinement
            + directories.compactMap { properties.problemOfWriting(URL(filePath: $0).standardizedFileURL.path) }
    }
}

/// Something in a unit that breaks the service, or makes it weaker than the package's.
struct UnitProblem {
    enum Level: Comparable {
        case warning, failure
    }

    let level: Level
    let text: String
    let advice: String

    init(_ level: Level, _ text: String, _ advice: String) {
        (self.level, self.text, self.advice) = (level, text, advice)
    }
}
