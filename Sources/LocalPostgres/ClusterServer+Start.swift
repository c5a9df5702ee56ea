import Foundation
import Glibc
import Logging

extension ClusterServer {
    /// Starts the server, or waits until a running one is ready; returns whether it was running already.
    func startUnlessRunning() async throws -> Bool {
        try self.layout.makeSocketDirectory(self.place.files)
        if try await self.adopt() { return true }
        try await self.waitForOrphans()
        Postmaster.removeStaleRecord(in: self.place)
        // No other cluster uses the directory, and no process of this cluster is running.
        try self.place.files.unlink("\(self.layout.socketDirectory)/.s.PGSQL.\(ClusterLayout.port).lock")
        try await self.prepareFiles()
        try await Progress.report("starting PostgreSQL", self.logger) {
            do {
                try await self.start()
            } catch let failure as LocalClusterError {
                // The collector needs only the socket: another program's port must not stop it.
                guard let address = self.configuration.reportAddress, case .startFailed(let reason, _) = failure,
                    reason.contains("TCP/IP sockets")
                else { throw failure }
                self.logger.error(
                    "PostgreSQL can't listen on the address for report logins, and runs without it",
                    metadata: ["address": "\(address)", "port": "\(ClusterLayout.port)"])
                try await self.prepareFiles(listening: false)
                try await self.start()
            }
        }
        return false
    }

    /// Waits until a running server is ready; returns false if none is running, or it stopped in the meantime.
    private func adopt() async throws -> Bool {
        let end = ContinuousClock.now + self.configuration.startTimeout
        return try await Progress.report("waiting for the running PostgreSQL", self.logger) {
            while let postmaster = Postmaster.running(in: self.layout.cluster) {
                if postmaster.status == "ready" { return true }
                guard ContinuousClock.now < end else { throw LocalClusterError.startTimeout(log: self.layout.log) }
                try await Task.sleep(for: .milliseconds(50))
            }
            return false
        }
    }

    /// Waits until the backends of a killed server have ended, because a second server at the same time would corrupt
    /// the data.
    private func waitForOrphans() async throws {
        let end = ContinuousClock.now + .seconds(30)
        try await Progress.report("waiting for the processes of a killed PostgreSQL to exit", self.logger) {
            while true {
                let orphans = Postmaster.processes(in: self.layout.cluster)
                if orphans.isEmpty { return }
                guard ContinuousClock.now < end else { throw LocalClusterError.orphans(orphans) }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    /// Writes the settings, which a running server reads when it is reloaded.
    ///
    /// - Parameter listening: Whether report logins can reach the server over TCP, if the configuration has an address.
    func prepareFiles(listening: Bool = true) async throws {
        // A cluster that is being restored serves no reports.
        let address = listening && self.configuration.recovery == nil ? self.configuration.reportAddress : nil
        if address != nil {
            let own = try self.place.files.text(of: self.layout.cluster + "/pg_hba.conf")
            try self.place.files.write(ServerSettings.rules(before: own), to: self.layout.rules)
        }
        let settings = ServerSettings(
            memory: self.configuration.memory ?? MachineMemory.available, socketDirectory: self.layout.socketDirectory,
            maxConnections: self.configuration.maxConnections, throwaway: self.configuration.throwaway,
            pageCompression: try await self.takes("wal_compression", "lz4") ? "lz4" : "off",
            isArchiving: FileManager.default.fileExists(atPath: self.layout.archiveScript),
            reports: address.map { ($0, self.layout.rules) },
            recovery: self.configuration.recovery)
        try self.place.files.write(settings.text, to: self.layout.settings)
        try? ServerLog(self).rotateIfLarge()
        try self.place.files.touch(self.layout.log)
    }

    /// Whether this build of the server supports a value of a setting.
    private func takes(_ setting: String, _ value: String) async throws -> Bool {
        try await self.tool.succeeds(
            "postgres",
            [
                "-D", ClusterLayout.clusterName, "-c", "config_file=/dev/null", "-c", "\(setting)=\(value)", "-C",
                setting,
            ])
    }

    /// Starts the server. It retries while shared memory of a killed server still exists, which may outlive the last
    /// process for a moment.
    private func start() async throws {
        let seconds = self.configuration.startTimeout.components.seconds
        let end = ContinuousClock.now + .seconds(15)
        while true {
            let arguments =
                [
                    "start", "-s", "-w", "-t", "\(seconds)", "-D", ClusterLayout.clusterName, "-l",
                    ClusterLayout.logName,
                ] + self.recoveryArguments
            if try await self.tool.succeeds("pg_ctl", arguments) { return }
            let reason = self.lastComplaint
            guard reason.contains("shared memory"), ContinuousClock.now < end else {
                if Postmaster.running(in: self.layout.cluster) != nil {
                    throw LocalClusterError.startTimeout(log: self.layout.log)
                }
                throw LocalClusterError.startFailed(reason: reason, log: self.layout.log)
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Settings of a recovery, which a backup's own files must not change: what is restored, that nothing is written to
    /// the archive, and that no other program or library is run.
    private var recoveryArguments: [String] {
        guard let recovery = self.configuration.recovery else { return [] }
        let settings =
            recovery.enforced
            + [
                ("recovery_end_command", ""), ("archive_cleanup_command", ""), ("shared_preload_libraries", ""),
                ("session_preload_libraries", ""), ("local_preload_libraries", ""), ("ssl", "off"),
                ("ssl_passphrase_command", ""), ("logging_collector", "off"),
            ]
        // pg_ctl passes them to a shell. None has a quote.
        return ["-o", settings.map { "-c '\($0.0)=\($0.1)'" }.joined(separator: " ")]
    }

    /// The last fatal error in the log, without the line's prefix.
    var lastComplaint: String {
        guard let text = PrivateFiles.end(of: self.layout.log, bytes: 8_192) else { return "no log" }
        let line = text.split(separator: "\n").last { $0.contains("FATAL:") || $0.contains("PANIC:") }
        let message = line.flatMap { line in line.range(of: ":  ").map { line[$0.upperBound...] } }
        return message.map(String.init) ?? "no reason given"
    }
}
