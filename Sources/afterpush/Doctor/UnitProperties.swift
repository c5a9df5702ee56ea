import Foundation
import Subprocess

/// The properties of a systemd unit, as `systemctl show` prints them.
struct UnitProperties {
    private let values: [String: String]

    init(_ text: String) {
        values = Dictionary(
            text.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
            },
            uniquingKeysWith: { "\($0) \($1)" })
    }

    /// Asks systemd. Returns nil if there is no systemd, or if it does not answer.
    static func read(_ unit: String) async -> UnitProperties? {
        let result = try? await Subprocess.run(
            .name("systemctl"), arguments: ["show", "--no-pager", unit], output: .string(limit: 1 << 20),
            error: .discarded)
        guard let result, result.terminationStatus.isSuccess else { return nil }
        let properties = UnitProperties(result.standardOutput)
        return properties.values["LoadState"] == nil ? nil : properties
    }

    /// The text of a property; empty if it has none.
    subscript(name: String) -> String { values[name] ?? "" }

    /// The number of a limit, or nil if there is no limit.
    func limit(_ name: String) -> Int? {
        self[name].isEmpty || self[name] == "infinity" ? nil : UInt64(self[name]).map { Int(clamping: $0) }
    }

    /// The elements of a list, without the signs in front of paths.
    func list(_ name: String) -> [String] {
        self[name].split(separator: " ").map { String($0.drop { "-+".contains($0) }) }
    }

    /// The variables that the unit sets, but not those of its environment files.
    var environment: [String: String] {
        Dictionary(
            self["Environment"].split(separator: " ").compactMap { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
            }, uniquingKeysWith: { $1 })
    }

    /// The seconds of a time such as `1min 30s`, or nil if it is unlimited.
    func seconds(_ name: String) -> Double? {
        guard self[name] != "infinity" else { return nil }
        let units = ["us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        return self[name].split(separator: " ").reduce(0) { sum, part in
            let number = part.prefix { $0.isNumber || $0 == "." }
            return sum + (Double(number) ?? 0) * (units[String(part.dropFirst(number.count))] ?? 0)
        }
    }
}

// What an override can break.
extension UnitProperties {
    var problemsOfState: [UnitProblem] {
        var problems: [UnitProblem] = []
        if self["LoadState"] == "masked" {
            problems.append(.init(.failure, "it is masked", "run 'systemctl unmask \(UnitChecks.unit)'"))
        } else if self["LoadState"] != "loaded" {
            problems.append(.init(.failure, "systemd can't load it", "run 'systemctl status \(UnitChecks.unit)'"))
        }
        if self["ActiveState"] == "failed" {
            problems.append(
                .init(
                    .failure, "it has failed (\(self["Result"]))",
                    "read 'journalctl --unit \(UnitChecks.unit)', then run 'systemctl restart \(UnitChecks.unit)'"))
        }
        if self["NeedDaemonReload"] == "yes" {
            problems.append(
                .init(
                    .warning, "its files have changed since systemd read them",
                    "run 'systemctl daemon-reload' and restart it"))
        }
        return problems
    }

    /// Checks the limits of files, memory and tasks.
    ///
    /// - Parameter ownsServer: Whether PostgreSQL runs in the unit too.
    func problemsOfLimits(connections: Int, bodyMemory: Int, ownsServer: Bool) -> [UnitProblem] {
        var problems: [UnitProblem] = []
        // Those of the database, of files and of logs.
        let files = connections + 64
        if let limit = limit("LimitNOFILE"), limit < files {
            problems.append(
                .init(
                    limit < 256 ? .failure : .warning,
                    "LimitNOFILE=\(limit) leaves \(max(16, limit - 64)) of \(connections) connections",
                    "set LimitNOFILE to \(files) or more"))
        }
        let memory = bodyMemory + (ownsServer ? 960 : 448) << 20
        for name in ["MemoryMax", "MemoryHigh"] {
            guard let limit = limit(name), limit < memory else { continue }
            problems.append(
                .init(
                    .warning, "\(name)=\(limit >> 20) MiB is little", "set \(name) to \(memory >> 20) MiB or more"))
        }
        if ownsServer, !["continue", ""].contains(self["OOMPolicy"]) {
            problems.append(
                .init(
                    .warning, "with OOMPolicy=\(self["OOMPolicy"]) it ends when one process of PostgreSQL is killed",
                    "set OOMPolicy=continue"))
        }
        if let limit = limit("TasksMax"), limit < 256 {
            problems.append(
                .init(.warning, "TasksMax=\(limit) is too few processes and threads", "set TasksMax to 256 or more"))
        }
        return problems
    }

    func problemsOfStopping(ownsServer: Bool) -> [UnitProblem] {
        var problems: [UnitProblem] = []
        if !["always", "on-failure"].contains(self["Restart"]) {
            problems.append(
                .init(
                    .warning, "with Restart=\(self["Restart"]) it stays down after a crash", "set Restart=on-failure"))
        }
        if ownsServer, self["KillMode"] != "mixed" {
            problems.append(
                .init(
                    .warning,
                    "with KillMode=\(self["KillMode"]) PostgreSQL ends before the last events are stored, or never",
                    "set KillMode=mixed"))
        }
        let needed: Double = ownsServer ? 30 : 12
        if let seconds = seconds("TimeoutStopUSec"), seconds < needed {
            problems.append(
                .init(
                    .warning, "TimeoutStopSec=\(Int(seconds)) is too short to store what was accepted",
                    "set TimeoutStopSec to \(Int(needed)) or more"))
        }
        return problems
    }

    /// Compares what confines the service with the package's unit.
    var problemsOfConfinement: [UnitProblem] {
        var weaker: [String] = []
        if ["", "root", "0"].contains(self["User"]), self["DynamicUser"] != "yes" { weaker.append("User=root") }
        for name in Self.switches where self[name] == "no" { weaker.append("\(name)=no") }
        if self["ProtectSystem"] != "strict" { weaker.append("ProtectSystem=\(self["ProtectSystem"])") }
        if self["DevicePolicy"] == "auto" { weaker.append("DevicePolicy=auto") }
        if self["ProtectProc"] == "default" { weaker.append("ProtectProc=default") }
        if self["SystemCallFilter"].isEmpty { weaker.append("no SystemCallFilter") }
        // To listen on a port below 1024; see docs/install.md.
        let capabilities = list("CapabilityBoundingSet").filter { $0 != "cap_net_bind_service" }
        if !capabilities.isEmpty { weaker.append("CapabilityBoundingSet with \(capabilities.count) capabilities") }
        guard !weaker.isEmpty else { return [] }
        return [
            .init(
                .warning, "it is confined less than packaged: \(weaker.joined(separator: ", "))",
                "remove what loosens it, unless you need it")
        ]
    }

    private static let switches = [
        "NoNewPrivileges", "LockPersonality", "MemoryDenyWriteExecute", "PrivateDevices", "PrivateTmp", "ProtectClock",
        "ProtectControlGroups", "ProtectHome", "ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules",
        "ProtectKernelTunables", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID",
    ]

    /// Returns why the service can't write to a directory, or nil if it can, as far as the unit says.
    func problemOfWriting(_ directory: String) -> UnitProblem? {
        func isInside(_ parents: [String]) -> Bool {
            parents.contains { directory == $0 || directory.hasPrefix($0 == "/" ? "/" : $0 + "/") }
        }
        let writable =
            list("ReadWritePaths") + list("BindPaths").map { String($0.split(separator: ":").last ?? "") }
            + list("StateDirectory").map { "/var/lib/\($0)" } + list("CacheDirectory").map { "/var/cache/\($0)" }
            + list("LogsDirectory").map { "/var/log/\($0)" } + list("RuntimeDirectory").map { "/run/\($0)" }
        guard !isInside(writable.filter { !$0.isEmpty }) else { return nil }
        let hidden =
            (["yes", "tmpfs", "read-only"].contains(self["ProtectHome"]) ? ["/home", "/root", "/run/user"] : [])
            + (self["PrivateTmp"] == "yes" ? ["/tmp", "/var/tmp"] : [])
        let isReadOnly =
            switch self["ProtectSystem"] {
            case "strict": true
            case "full": isInside(["/usr", "/boot", "/efi", "/etc"])
            case "yes": isInside(["/usr", "/boot", "/efi"])
            default: false
            }
        guard isReadOnly || isInside(hidden) else { return nil }
        return .init(
            .failure, "it can't write to \(directory)",
            "add ReadWritePaths=\(directory) and restart it")
    }
}
