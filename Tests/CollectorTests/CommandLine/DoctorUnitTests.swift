import Foundation
import TestSupport
import Testing

/// Tests what `afterpush doctor` says of the service's unit, which a `systemctl` of the test describes.
struct DoctorUnitTests {
    private struct Finding {
        let level: String
        let finding: String
        let advice: String
    }

    /// Returns the finding of the check `unit`.
    ///
    /// - Parameter changes: What differs from the package's unit; nil for a machine without systemd.
    private func finding(
        _ changes: [String: String]?, arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> Finding {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let lines = changes.map { Self.packaged.merging($0) { $1 }.map { "\($0)=\($1)" }.joined(separator: "\n") }
        let script = lines.map { "cat <<'END'\n\($0)\nEND" } ?? "echo 'not booted with systemd' >&2; exit 1"
        try "#!/bin/sh\n\(script)\n".write(
            toFile: directory + "/systemctl", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory + "/systemctl")
        try #"{"data": {"dir": "/var/lib/afterpush"}}"#.write(
            toFile: directory + "/settings.json", atomically: true, encoding: .utf8)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let output = try await Program.run(
            ["doctor", "--format", "json", "--config", directory + "/settings.json"] + arguments,
            environment: environment.merging(["PATH": "\(directory):\(path)", "AFTERPUSH_PORT": "1"]) { $1 })
        let object = try JSONSerialization.jsonObject(with: Data(output.output.utf8)) as? [String: Any]
        let list = try #require(object?["findings"] as? [[String: Any]], "\(output.output) \(output.error)")
        let found = try #require(list.first { $0["check"] as? String == "unit" })
        return Finding(
            level: found["level"] as? String ?? "", finding: found["finding"] as? String ?? "",
            advice: found["advice"] as? String ?? "")
    }

    /// What `systemctl show` prints for the package's unit.
    private static let packaged = [
        "LoadState": "loaded", "ActiveState": "active", "Result": "success", "NeedDaemonReload": "no",
        "DropInPaths": "", "Restart": "on-failure", "TimeoutStopUSec": "1min 30s", "KillMode": "mixed",
        "LimitNOFILE": "65536", "MemoryMax": "infinity", "MemoryHigh": "infinity", "TasksMax": "4680",
        "OOMPolicy": "continue", "User": "afterpush", "DynamicUser": "no", "NoNewPrivileges": "yes",
        "LockPersonality": "yes", "MemoryDenyWriteExecute": "yes", "PrivateDevices": "yes", "PrivateTmp": "yes",
        "ProtectClock": "yes", "ProtectControlGroups": "yes", "ProtectHome": "yes", "ProtectHostname": "yes",
        "ProtectKernelLogs": "yes", "ProtectKernelModules": "yes", "ProtectKernelTunables": "yes",
        "ProtectProc": "invisible", "ProtectSystem": "strict", "RestrictNamespaces": "yes", "RestrictRealtime": "yes",
        "RestrictSUIDSGID": "yes", "DevicePolicy": "closed", "CapabilityBoundingSet": "",
        "SystemCallFilter": "access brk read write", "StateDirectory": "afterpush",
        "ReadWritePaths": "-/var/backups/afterpush",
    ]

    @Test func `the package's unit passes`() async throws {
        let found = try await finding([:])
        #expect(found.level == "ok" && found.finding.contains("65536 open files, no limit of memory"), "\(found)")
        let privileged = try await finding(["CapabilityBoundingSet": "cap_net_bind_service"])
        #expect(privileged.level == "ok", "\(privileged)")
    }

    @Test func `without systemd, without the unit and with other settings than the unit's, nothing is checked`()
        async throws
    {
        for changes in [nil, ["LoadState": "not-found"], ["Environment": "AFTERPUSH_CONFIG=/etc/other.json A=1"]] {
            let found = try await finding(changes)
            #expect(found.level == "ok" && found.finding.hasPrefix("not checked, because "), "\(found)")
        }
    }

    @Test(arguments: [
        (["LimitNOFILE": "1024"], "warn", "LimitNOFILE=1024 leaves 960 of 8192 connections"),
        (["LimitNOFILE": "128"], "fail", "LimitNOFILE=128 leaves 64 of 8192 connections"),
        (["MemoryMax": "536870912"], "warn", "MemoryMax=512 MiB is little"),
        (["MemoryHigh": "536870912"], "warn", "MemoryHigh=512 MiB is little"),
        (["OOMPolicy": "stop"], "warn", "it ends when one process of PostgreSQL is killed"),
        (["TasksMax": "100"], "warn", "TasksMax=100"),
        (["Restart": "no"], "warn", "stays down after a crash"),
        (["KillMode": "control-group"], "warn", "PostgreSQL ends before the last events are stored"),
        (["TimeoutStopUSec": "5s"], "warn", "TimeoutStopSec=5"),
        (["User": ""], "warn", "User=root"),
        (["ProtectSystem": "no", "NoNewPrivileges": "no"], "warn", "NoNewPrivileges=no, ProtectSystem=no"),
        (["SystemCallFilter": ""], "warn", "no SystemCallFilter"),
        (["CapabilityBoundingSet": "cap_chown cap_sys_admin"], "warn", "2 capabilities"),
        (["StateDirectory": ""], "fail", "it can't write to /var/lib/afterpush"),
        (["ActiveState": "failed", "Result": "oom-kill"], "fail", "it has failed (oom-kill)"),
        (["LoadState": "masked"], "fail", "it is masked"),
        (["NeedDaemonReload": "yes"], "warn", "its files have changed"),
    ])
    func `what an override breaks is reported`(changes: [String: String], level: String, words: String) async throws {
        let drop = ["DropInPaths": "/etc/systemd/system/afterpush.service.d/override.conf"]
        let found = try await finding(changes.merging(drop) { $1 })
        #expect(found.level == level && found.finding.contains(words), "\(found)")
        #expect(found.advice.contains("override.conf"), "\(found)")
    }

    @Test func `a backup directory that the unit can't write to is reported`() async throws {
        func at(_ path: String, _ changes: [String: String] = [:]) async throws -> Finding {
            try await finding(changes, environment: ["AFTERPUSH_BACKUP_DIR": path])
        }
        #expect(try await at("/var/backups/afterpush").level == "ok")
        let closed = try await at("/mnt/backup")
        #expect(closed.level == "fail" && closed.finding.contains("it can't write to /mnt/backup"), "\(closed)")
        #expect(closed.advice.contains("ReadWritePaths=/mnt/backup"), "\(closed)")
        #expect(try await at("/mnt/backup", ["ReadWritePaths": "/mnt/other /mnt/backup"]).level == "ok")
        let hidden = try await at("/home/backup", ["ProtectSystem": "full"])
        #expect(hidden.finding.contains("it can't write to /home/backup"), "\(hidden)")
    }

    @Test func `a unit without PostgreSQL needs less`() async throws {
        let arguments = ["--database-url", "postgres://x@127.0.0.1:1/none"]
        let changes = [
            "KillMode": "control-group", "OOMPolicy": "stop", "MemoryMax": "536870912", "TimeoutStopUSec": "15s",
        ]
        let found = try await finding(changes, arguments: arguments)
        #expect(found.level == "ok", "\(found)")
    }
}
