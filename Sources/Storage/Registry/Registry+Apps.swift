package import Foundation
import Postgres
package import Receipts
import SQLFiles

extension Registry {
    @discardableResult
    package func createApp(_ name: String) async throws -> App {
        guard (1...256).contains(name.utf8.count), !name.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw RegistryError.invalidName
        }
        return try await self.pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.createApp.text, [.text(name)])
            guard let row = rows.first else { throw RegistryError.appExists(name) }
            return try Self.app(row)
        }
    }

    /// Returns all apps, sorted by name.
    package func apps() async throws -> [App] {
        try await self.pool.withConnection { connection in
            try await connection.query(SQLFiles.listApps.text).map(Self.app)
        }
    }

    /// Returns the app that a key belongs to, on the app's account.
    func app(_ id: Int32) async throws -> App {
        let app = try await self.pool.withConnection(of: id) { connection in
            try await connection.query(SQLFiles.findApp.text, [.int4(id)], prepared: true).first.map(Self.app)
        }
        guard let app else { throw RegistryError.noApp }
        return app
    }

    /// Returns the app with a name, or the only app if there is no name.
    package func app(named name: String?) async throws -> App {
        let apps = try await self.apps()
        if let name {
            guard let app = apps.first(where: { Array($0.name.utf8) == Array(name.utf8) }) else {
                throw RegistryError.noSuchApp(name)
            }
            return app
        }
        guard let app = apps.first else { throw RegistryError.noApp }
        guard apps.count == 1 else { throw RegistryError.severalApps(apps.map(\.name)) }
        return app
    }

    private static func app(_ row: Row) throws -> App {
        let (id, name, createdAt, policy) = try row.decode(Int32.self, String.self, Date.self, String.self)
        return App(
            id: id, name: name, createdAt: createdAt, receiptPolicy: ReceiptPolicy(rawValue: policy) ?? .optional)
    }
}

/// An app, the tenant that keys, events and reports belong to.
package struct App: Sendable, Hashable {
    package let id: Int32
    package let name: String
    package let createdAt: Date
    package let receiptPolicy: ReceiptPolicy
}
