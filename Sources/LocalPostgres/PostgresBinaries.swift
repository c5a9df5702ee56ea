import Files
import Foundation
import Glibc

/// An installation of PostgreSQL's server programs: their directory and major version.
struct PostgresBinaries: Sendable, Equatable {
    let directory: String
    let version: String

    private static let programs = ["initdb", "pg_ctl", "postgres", "psql", "createdb"]
    /// The other programs that commands run, or that these programs run in turn.
    private static let others = [
        "pg_basebackup", "pg_verifybackup", "pg_controldata", "pg_waldump", "pg_resetwal", "pg_dump", "pg_dumpall",
        "pg_restore", "vacuumdb", "pg_upgrade",
    ]
    private static let debian = "/usr/lib/postgresql"

    /// Finds the programs in the configured directory, or in Debian's directories, newest first, and then in PATH.
    ///
    /// - Parameter dataVersion: The major version of an existing cluster, which needs programs of the same version.
    static func find(
        configured: String?, dataVersion: String?, dataDirectory: String
    ) async throws -> PostgresBinaries {
        let installed = try await Self.installed(configured: configured)
        guard let newest = installed.first else {
            throw LocalClusterError.binariesMissing(searched: Self.candidates(configured: configured))
        }
        guard let dataVersion else { return newest }
        guard let fitting = installed.first(where: { $0.version == dataVersion }) else {
            throw LocalClusterError.versionMismatch(
                directory: dataDirectory, data: dataVersion, installed: newest.version)
        }
        return fitting
    }

    /// Returns the complete installations in the order in which they are considered.
    ///
    /// - Parameter alsoDebian: Whether to look in the usual places, too, if directories are configured.
    static func installed(configured: String?, alsoDebian: Bool = false) async throws -> [PostgresBinaries] {
        var installed: [PostgresBinaries] = []
        let usual = alsoDebian && configured != nil ? Self.candidates(configured: nil) : []
        for directory in Self.candidates(configured: configured) + usual where Self.isComplete(directory) {
            do {
                try Self.requireTrust(directory)
            } catch {
                // Directories of PATH are only looked into.
                guard configured == nil else { throw error }
                continue
            }
            guard let version = try await Self.version(of: directory) else { continue }
            installed.append(PostgresBinaries(directory: directory, version: version))
        }
        return installed
    }

    /// Returns the directories to look in, in the order in which they are considered.
    ///
    /// - Parameter configured: Directories, separated by colons.
    private static func candidates(configured: String?) -> [String] {
        if let configured { return configured.split(separator: ":").map(String.init) }
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: Self.debian)) ?? []
        let newestFirst = versions.compactMap { Int($0) }.sorted(by: >)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return newestFirst.map { "\(Self.debian)/\($0)/bin" } + path.split(separator: ":").map(String.init)
    }

    private static func isComplete(_ directory: String) -> Bool {
        Self.programs.allSatisfy { FileManager.default.isExecutableFile(atPath: "\(directory)/\($0)") }
    }

    /// Requires that only root can change the programs that root runs.
    private static func requireTrust(_ directory: String) throws(LocalClusterError) {
        guard SystemUser.isRoot else { return }
        do throws(TrustedPath.Untrusted) {
            for program in (Self.programs + Self.others).map({ "\(directory)/\($0)" })
            where FileManager.default.fileExists(atPath: program) {
                try TrustedPath.require(program, owners: [0], above: [0])
            }
        } catch {
            throw .foreignPrograms(directory: directory, reason: error.description)
        }
    }

    /// Returns the major version, such as 15 from `postgres (PostgreSQL) 15.8 (Debian 15.8-1)`.
    private static func version(of directory: String) async throws -> String? {
        let tool = PostgresTool(directory: directory, user: nil)
        let words = try await tool.run("postgres", ["--version"]).split(separator: " ")
        return words.first { $0.first?.isNumber == true }.map { String($0.prefix(while: \.isNumber)) }
    }
}
