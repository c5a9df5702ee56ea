import Foundation
import Glibc
package import Logging

extension LocalCluster {
    /// The result of an upgrade.
    package struct Upgraded: Sendable, Equatable {
        package let from: String
        package let to: String
        /// The directory of the new version's programs.
        package let programs: String
    }

    /// Upgrades the cluster to a newer major version of PostgreSQL with `pg_upgrade --link`.
    ///
    /// The new cluster is made beside the old one and shares its files by hard links. It takes the place of the old one
    /// in one step, and is not started before, so until that step the old cluster is complete: `pg_upgrade` only
    /// renames its control file, which the next start of any program of Afterpush's undoes. Afterwards, the new one is
    /// complete.
    ///
    /// - Parameters:
    ///   - version: The new major version, or nil for the newest that is installed.
    ///   - programs: The directory of the new version's programs, if it is not where Debian puts it.
    ///   - checking: Whether to check only, and change nothing.
    package static func upgrade(
        _ configuration: Configuration, to version: String?, programs: String?, checking: Bool, logger: Logger,
        progress: @escaping @Sendable (String) -> Void
    ) async throws -> Upgraded {
        let place = try await ClusterLocation.find(configuration, logger: logger)
        let layout = place.layout
        guard layout.exists else { throw UpgradeError.noCluster(directory: layout.base) }
        let opening = try await FileLock.take(layout.openingLock, exclusive: true, within: .seconds(10))
        let users = try await Self.requireUnused(layout)
        try await InterruptedUpgrade.undo(in: place)
        try await InterruptedUpgrade.removeOldClusters(in: place)
        let old = try await ClusterServer.find(place, configuration, logger: logger)
        let binaries = try await Self.newBinaries(configuration, than: old, version: version, directory: programs)
        let upgrade = ClusterUpgrade(
            old: old, binaries: binaries, oldVersion: ClusterUpgrade.version(of: layout), progress: progress)
        try await upgrade.run(checking: checking)
        return withExtendedLifetime((opening, users)) {
            Upgraded(from: upgrade.oldVersion, to: binaries.version, programs: binaries.directory)
        }
    }

    private static func newBinaries(
        _ configuration: Configuration, than old: ClusterServer, version: String?, directory: String?
    ) async throws -> PostgresBinaries {
        let current = ClusterUpgrade.version(of: old.layout)
        let installed = try await PostgresBinaries.installed(
            configured: directory ?? configuration.binDirectory, alsoDebian: directory == nil)
        let newer = installed.filter { (Int($0.version) ?? 0) > (Int(current) ?? 0) }
            .sorted { (Int($0.version) ?? 0) > (Int($1.version) ?? 0) }
        guard let found = newer.first(where: { version == nil || $0.version == version }) else {
            throw UpgradeError.noNewerVersion(
                current: current, wanted: version, installed: installed.map(\.version))
        }
        let missing = ClusterUpgrade.programs.filter {
            !FileManager.default.isExecutableFile(atPath: "\(found.directory)/\($0)")
        }
        guard missing.isEmpty else { throw UpgradeError.programsMissing(directory: found.directory, names: missing) }
        return found
    }
}

/// An error that prevents an upgrade; the cluster is unchanged.
package enum UpgradeError: Error, Sendable, Equatable {
    case noCluster(directory: String)
    case noNewerVersion(current: String, wanted: String?, installed: [String])
    case programsMissing(directory: String, names: [String])
    case settingRefused(reason: String)
    case failed(step: String, reason: String)
}

extension UpgradeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noCluster(let directory):
            "there is no cluster in \(directory)"
        case .noNewerVersion(let current, let wanted, let installed):
            "PostgreSQL \(wanted ?? "newer than \(current)") is not installed (found \(Self.list(installed))): install "
                + "Debian's package `postgresql-\(wanted ?? "VERSION")`, or name its programs with --bin"
        case .programsMissing(let directory, let names):
            "\(directory) has no \(Self.list(names)): install the rest of this version of PostgreSQL"
        case .settingRefused(let reason):
            "the new version does not accept the cluster's settings: \(reason)"
        case .failed(let step, let reason):
            "\(step) failed, and the cluster is unchanged: \(reason)"
        }
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
