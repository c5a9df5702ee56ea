package import AfterpushWire
package import Declarations
import Foundation
import Postgres
import SQLFiles

extension Registry {
    private struct Stored {
        let declaration: CategoryDeclaration
        let version: Int32
        let isRetired: Bool
    }

    /// Declares the whole set of categories: a changed category gets a new version, and a missing one is retired.
    ///
    /// - Throws: `DeclarationError` if a limit is exceeded; then nothing changes.
    package func putCategories(_ set: CategorySet, app: App, at now: AfterpushWire.Timestamp) async throws
        -> CategoryChange
    {
        let effectiveFrom = set.effectiveFrom ?? now
        try self.limits.check(set)
        return try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction { connection in
                _ = try connection.query(SQLFiles.lockApp.text, [.int4(app.id)])
                let stored = try Self.stored(app, connection)
                let put = Set(set.categories.map { Array($0.identifier.utf8) })
                try self.limits.check(categories: put.union(stored.keys).count)
                var change = CategoryChange()
                for category in set.categories {
                    let known = stored[Array(category.identifier.utf8)]
                    let version = try self.put(category, after: known, app, effectiveFrom, connection)
                    if let version {
                        change.changed.append((category.identifier, version))
                    } else {
                        change.unchanged.append(category.identifier)
                    }
                }
                for (identifier, known) in stored where !put.contains(identifier) && !known.isRetired {
                    try Self.setRetired(true, known.declaration.identifier, app, connection)
                    change.retired.append(known.declaration.identifier)
                }
                change.retired.sort()
                return change
            }
        }
    }

    /// Returns the version in force at a time, or the newest, of each category that is not retired, with its number.
    package func categories(
        app: App, inForceAt time: AfterpushWire.Timestamp? = nil
    ) async throws -> [(declaration: CategoryDeclaration, version: Int32)] {
        try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction(.readOnlyRepeatable) { connection in
                try Self.stored(app, inForceAt: time, connection).values
                    .filter { !$0.isRetired }
                    .map { ($0.declaration, $0.version) }
                    .sorted { $0.0.identifier.utf8.lexicographicallyPrecedes($1.0.identifier.utf8) }
            }
        }
    }

    /// Stores a category and returns its new version, or `nil` if it is unchanged.
    private func put(
        _ category: CategoryDeclaration, after known: Stored?, _ app: App, _ effectiveFrom: AfterpushWire.Timestamp,
        _ connection: isolated Connection
    ) throws -> Int32? {
        if let known {
            if known.isRetired { try Self.setRetired(false, category.identifier, app, connection) }
            try connection.execute(
                SQLFiles.updateCategory.text,
                [
                    .int4(app.id), .text(category.identifier), .text(category.textRetention.map { "\($0) s" }),
                    .textArray(category.intents),
                ])
            if known.declaration.offersSame(as: category) { return nil }
        }
        // Each tier is what some versions of the app register. The last one is complete, and so the current version.
        var version = known?.version ?? 0
        for tier in category.tiers {
            version += 1
            try self.limits.check(version: version)
            // A new category is effective from the beginning of time, even if it starts with several versions.
            let isFurther = known == nil && version > 1
            try Self.insert(tier, version, app, isFurther ? nil : effectiveFrom, connection)
        }
        return version
    }

    /// Inserts a version of a category with its actions.
    ///
    /// - Parameter effectiveFrom: The time from which the version applies, or `nil` for the beginning of time.
    private static func insert(
        _ category: CategoryDeclaration, _ version: Int32, _ app: App, _ effectiveFrom: AfterpushWire.Timestamp?,
        _ connection: isolated Connection
    ) throws(PostgresError) {
        let key: [Parameter] = [.int4(app.id), .text(category.identifier), .int4(version)]
        try connection.execute(
            SQLFiles.putCategory.text,
            key + [
                .timestamp(effectiveFrom?.microseconds), .textArray(category.options),
                .text(category.textRetention.map { "\($0) s" }), .text(category.minAppVersion?.text),
                .textArray(category.intents),
            ])
        for (position, action) in category.actions.enumerated() {
            try connection.execute(
                SQLFiles.putAction.text,
                key + [
                    .text(action.identifier), .int4(Int32(position + 1)), .text(action.title),
                    .textArray(action.options), .bool(action.textInput != nil), .text(action.textInput?.buttonTitle),
                    .text(action.textInput?.placeholder), .bool(action.isGoal), .text(action.minAppVersion?.text),
                ])
        }
    }

    private static func setRetired(
        _ retired: Bool, _ identifier: String, _ app: App, _ connection: isolated Connection
    ) throws(PostgresError) {
        try connection.execute(
            SQLFiles.setCategoryRetired.text, [.int4(app.id), .text(identifier), .bool(retired)])
    }

    /// Returns the version of each category that is in force at a time, or the newest, by the bytes of its identifier,
    /// because Swift treats some different strings as equal.
    private static func stored(
        _ app: App, inForceAt time: AfterpushWire.Timestamp? = nil, _ connection: isolated Connection
    ) throws(PostgresError) -> [[UInt8]: Stored] {
        let categories = try connection.query(
            SQLFiles.newestCategories.text, [.int4(app.id), .timestamp(time?.microseconds)]
        ).map { row throws(PostgresError) in
            try row.decode(
                String.self, Int32.self, [String].self, Int64?.self, Bool.self, String?.self, [String].self, Int64.self)
        }
        let versions: [Parameter] = [
            .int4(app.id), .textArray(categories.map(\.0)), .int4Array(categories.map(\.1)),
        ]
        var actions: [[UInt8]: [ActionDeclaration]] = [:]
        for row in try connection.query(SQLFiles.categoryActions.text, versions) {
            let (category, id, title, options, isText, button, placeholder, isGoal, app) = try row.decode(
                String.self, String.self, String.self, [String].self, Bool.self, String?.self, String?.self, Bool.self,
                String?.self)
            actions[Array(category.utf8), default: []].append(
                ActionDeclaration(
                    identifier: id, title: title, options: options,
                    textInput: isText ? .init(buttonTitle: button, placeholder: placeholder) : nil, isGoal: isGoal,
                    minAppVersion: app.flatMap(AppVersion.init)))
        }
        var stored: [[UInt8]: Stored] = [:]
        for (id, version, options, retention, isRetired, app, intents, declaredAt) in categories {
            let declaration = CategoryDeclaration(
                identifier: id, options: options, actions: actions[Array(id.utf8)] ?? [], textRetention: retention,
                minAppVersion: app.flatMap(AppVersion.init), intents: intents,
                declaredAt: AfterpushWire.Timestamp(microseconds: declaredAt))
            stored[Array(id.utf8)] = Stored(declaration: declaration, version: version, isRetired: isRetired)
        }
        return stored
    }
}
