package import Events
package import Postgres
import SQLFiles

/// A database's declarations: apps, keys, categories, campaigns and sends.
package struct Registry: Sendable {
    let pool: ConnectionPool
    package let limits: NameLimits
    /// Called after a campaign was declared over HTTP.
    package var onCampaignPut: @Sendable () -> Void = {}

    /// Creates a registry.
    ///
    /// - Parameters:
    ///   - pool: The pool of the owner role.
    ///   - limits: The limits of an app's declarations.
    package init(pool: ConnectionPool, limits: NameLimits = NameLimits()) {
        self.pool = pool
        self.limits = limits
    }
}

extension Registry {
    /// Returns the number of the last batch, or 0 in a database without batches.
    package func lastBatch() async throws -> Int64 {
        try await self.pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.findLastBatch.text)
            return try rows.first?.decode(Int64.self, column: 0) ?? 0
        }
    }
}

/// An error in the use of the registry.
package enum RegistryError: Error, Sendable, Equatable, CustomStringConvertible {
    case noSuchApp(String)
    case appExists(String)
    case invalidName
    case noSuchKey(Int32)
    case noSuchShare(Int32)
    case noSuchCampaign(String)
    case noApp
    case severalApps([String])
    case tooManySecrets(limit: Int)

    package var description: String {
        switch self {
        case .noSuchApp(let name): "there is no app '\(name)'; create it with: afterpush apps create \(name)"
        case .appExists(let name): "the app '\(name)' already exists"
        case .invalidName: "a name must be 1 to 256 bytes long, without control characters"
        case .noSuchKey(let id): "there is no key \(id)"
        case .noSuchShare(let id): "there is no link \(id)"
        case .noSuchCampaign(let id): "there is no campaign '\(id)'"
        case .noApp: "there is no app yet; create one with: afterpush apps create NAME"
        case .severalApps(let names): "name the app with --app: \(names.joined(separator: ", "))"
        case .tooManySecrets(let limit):
            "\(limit) receipt secrets are valid already; --at-once retires them all now, without an overlap"
        }
    }
}
