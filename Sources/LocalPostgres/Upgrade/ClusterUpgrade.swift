import Files
import Foundation
import Glibc
import Subprocess

/// The steps of an upgrade. The caller holds the locks of the cluster.
struct ClusterUpgrade: Sendable {
    let old: ClusterServer
    let binaries: PostgresBinaries
    let oldVersion: String
    let progress: @Sendable (String) -> Void

    static let programs = [
        "initdb", "pg_upgrade", "pg_ctl", "postgres", "pg_dump", "pg_dumpall", "pg_restore", "psql", "vacuumdb",
        "pg_resetwal", "pg_controldata",
    ]

    private var layout: ClusterLayout { self.old.layout }
    private var workplace: ClusterLayout { self.layout.upgrading }
    private var files: PrivateFiles { self.old.place.files }

    static func version(of layout: ClusterLayout) -> String {
        ((try? PrivateFiles.text(of: layout.versionFile, limit: 64)) ?? "")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func run(checking: Bool) async throws {
        do {
            try await self.shutDownCleanly()
            self.progress("creating a cluster of PostgreSQL \(self.binaries.version)")
            let new = try await self.createNew()
            self.progress("checking")
            try await self.pgUpgrade(["--check"], step: "the check", new)
            guard !checking else { return try await self.files.removeTree(self.workplace.base) }
            self.progress("upgrading")
            try await self.restoreDefaultPrivileges()
            try await self.pgUpgrade([], step: "pg_upgrade", new)
            _ = try LocalCluster.put(self.workplace.cluster, in: self.old.place, suffix: InterruptedUpgrade.suffix)
        } catch {
            try await InterruptedUpgrade.undo(in: self.old.place)
            throw error
        }
        try await self.files.removeTree(self.workplace.base)
        try await self.complete()
    }

    /// Makes sure that the old cluster's files are consistent, even if its server was killed.
    private func shutDownCleanly() async throws {
        if Postmaster.running(in: self.layout.cluster) == nil {
            let state = try await self.old.tool.run("pg_controldata", ["-D", self.layout.cluster])
            if state.contains(/Database cluster state: +shut down\n/) { return }
        }
        self.progress("starting PostgreSQL \(self.oldVersion)")
        _ = try await self.old.startUnlessRunning()
        try await self.old.stop()
    }

    private func createNew() async throws -> ClusterServer {
        try await self.files.removeTree(self.workplace.base)
        try self.files.makeDirectory(self.workplace.base, mode: SystemUser.isRoot ? 0o711 : 0o700)
        let user = self.old.place.user
        let tool = PostgresTool(
            directory: self.binaries.directory, user: user, workingDirectory: self.workplace.base)
        let new = ClusterServer(
            place: ClusterLocation(layout: self.workplace, user: user), configuration: self.old.configuration,
            tool: tool, logger: self.old.logger)
        _ = try await new.createIfMissing()
        try self.workplace.makeSocketDirectory(self.files)
        try await self.copySettings()
        // The archive ends with the old cluster, but the next backup has to know where the backups are.
        try BackupOrigins.read(self.layout).write(to: new.place)
        try await new.prepareFiles()
        // An unknown setting would be noticed only after the old cluster is gone.
        do {
            try await tool.run("postgres", ["-D", ClusterLayout.clusterName, "-C", "data_directory"])
        } catch LocalClusterError.toolFailed(_, let reason) {
            throw UpgradeError.settingRefused(reason: reason)
        }
        return new
    }

    /// Gives everybody back the functions of PostgreSQL that `restrict_public.sql` took away, and lets the next migration
    /// take them again.
    ///
    /// pg_upgrade repeats grants on functions by their parameters, which differ between versions: the new version can
    /// lack such a function, or have one more. If the upgrade fails, the next migration restricts the old cluster.
    private func restoreDefaultPrivileges() async throws {
        _ = try await self.old.startUnlessRunning()
        let statement = """
            do $$
            declare
                routine regprocedure;
            begin
                for routine in
                    select oid
                    from pg_catalog.pg_proc
                    where pronamespace = 'pg_catalog'::regnamespace
                      and exists (select from aclexplode(proacl) where grantee = to_regrole('afterpush_owner'))
                loop
                    execute format('revoke all on function %s from afterpush_owner', routine);
                    execute format('grant execute on function %s to public', routine);
                end loop;
                if to_regclass('afterpush.installed_definitions') is not null then
                    delete from afterpush.installed_definitions where name = 'restrict_public';
                end if;
            end
            $$
            """
        _ = try await self.old.query(statement, database: self.old.configuration.databaseName)
        try await self.old.stop()
    }

    /// Copies the settings that an operator has made. pg_upgrade itself copies none.
    private func copySettings() async throws {
        for name in ["pg_hba.conf", "pg_ident.conf", "postgresql.auto.conf"] {
            try await self.old.tool.run(
                "cp", ["-p", "\(self.layout.cluster)/\(name)", "\(self.workplace.cluster)/\(name)"])
        }
        let text = try self.files.text(of: self.layout.cluster + "/postgresql.conf")
        // The lines below the include line were written by the operator; see ServerSettings.
        guard let include = text.range(of: ClusterServer.includeLine), case let own = text[include.upperBound...],
            !own.allSatisfy(\.isWhitespace)
        else { return }
        try self.files.append(String(own), to: self.workplace.cluster + "/postgresql.conf")
    }

    private func pgUpgrade(_ arguments: [String], step: String, _ new: ClusterServer) async throws {
        // pg_upgrade writes in its working directory. The cluster's own stays root's, so that root can move the cluster
        // into its place: with the rights of the server's user it can't, in a data directory of root's.
        var tool = new.tool
        tool.workingDirectory = self.workplace.socketDirectory
        let result = try await tool.execute(
            "pg_upgrade",
            [
                "--old-bindir", self.old.tool.directory, "--new-bindir", self.binaries.directory, "--old-datadir",
                self.layout.cluster, "--new-datadir", self.workplace.cluster, "--username", ClusterServer.superuser,
                "--socketdir", self.workplace.socketDirectory, "--link",
            ] + arguments)
        guard !result.status.isSuccess else { return }
        // It says the reason on standard output, after the list of its steps.
        let lines = (result.output + "\n" + result.complaint).split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let reason = lines.filter { !$0.isEmpty && !$0.hasSuffix(" ok") && !$0.hasPrefix("---") }.suffix(4)
            .joined(separator: " ")
        throw UpgradeError.failed(step: step, reason: Self.complaint(inLogNamedBy: reason) ?? reason)
    }

    /// The error in the log that pg_upgrade names as the place of its reason, which is removed with the new cluster.
    private static func complaint(inLogNamedBy reason: String) -> String? {
        guard let path = reason.firstMatch(of: /"(\/[^"]+\.log)"/)?.1,
            let text = PrivateFiles.end(of: String(path), bytes: 65_536)
        else { return nil }
        return text.split(separator: "\n").last { $0.contains(/(error|ERROR|FATAL): ./) }.map(String.init)
    }

    /// Starts the new cluster, collects the statistics that the planner needs, and removes the old one.
    private func complete() async throws {
        let new = try await ClusterServer.find(
            self.old.place, self.configuration(for: self.binaries), logger: self.old.logger)
        self.progress("collecting statistics")
        _ = try await new.startUnlessRunning()
        let own = PostgresTool(directory: self.binaries.directory, user: nil)
        try await own.run(
            "vacuumdb",
            [
                "--all", "--analyze-only", "--quiet", "--host", self.layout.socketDirectory, "--port",
                "\(ClusterLayout.port)", "--username", ClusterServer.superuser,
            ])
        try await new.stop()
        try await InterruptedUpgrade.removeOldClusters(in: self.old.place)
    }

    private func configuration(for binaries: PostgresBinaries) -> LocalCluster.Configuration {
        var configuration = self.old.configuration
        configuration.binDirectory = binaries.directory
        return configuration
    }
}

/// What an upgrade leaves behind that did not end.
enum InterruptedUpgrade {
    static let suffix = "before-upgrade"

    /// Ends the programs of an upgrade that was killed, and makes the old cluster usable again.
    ///
    /// It is undone only if the new cluster has not got its place. Until then nothing has been written to the files that
    /// both share, because pg_upgrade's servers only change the catalog, of which each has its own.
    static func undo(in place: ClusterLocation) async throws {
        let (layout, files) = (place.layout, place.files)
        let workplace = layout.upgrading.base
        if FileManager.default.fileExists(atPath: workplace) {
            try await FileTree.endPrograms(in: workplace)
            // pg_upgrade also starts the old server, with another socket.
            try await FileTree.endPrograms(in: layout.cluster)
        }
        let control = layout.cluster + "/global/pg_control"
        if layout.exists, !FileManager.default.fileExists(atPath: control),
            FileManager.default.fileExists(atPath: control + ".old")
        {
            try files.rename(control + ".old", to: control)
            try files.sync(layout.cluster + "/global")
        }
        try? files.unlinkTree(layout.upgrading.socketDirectory)
        try await files.removeTree(workplace)
    }

    /// Removes old clusters that an upgrade has replaced. They can't be started, because the new one uses their files.
    static func removeOldClusters(in place: ClusterLocation) async throws {
        for path in Self.oldClusters(in: place.layout) { try await place.files.removeTree(path) }
    }

    static func oldClusters(in layout: ClusterLayout) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: layout.base)) ?? []
        return names.filter { $0.hasPrefix("\(ClusterLayout.clusterName).\(Self.suffix)-") }.map {
            "\(layout.base)/\($0)"
        }
    }
}
