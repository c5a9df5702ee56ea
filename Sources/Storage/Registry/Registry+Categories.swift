package import AfterpushWire
package import Declarations
import Foundation
import JSON
import Postgres
import SQLFiles

extension Registry {
    private struct Stored {
        let declaration: CategoryDeclaration
        let version: Int32
        let isRetired: Bool
    }

    private struct NewVersion {
        let category: CategoryDeclaration
        let number: Int32
        /// Whether it applies from the beginning of time.
        let isFromBeginning: Bool
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
                var versions: [NewVersion] = []
                for category in set.categories {
                    let new = try self.versions(of: category, after: stored[Array(category.identifier.utf8)])
                    if let last = new.last {
                        change.changed.append((category.identifier, last.number))
                    } else {
                        change.unchanged.append(category.identifier)
                    }
                    versions += new
                }
                let known = set.categories.filter { stored[Array($0.identifier.utf8)] != nil }
                try Self.update(known, app, connection)
                change.retired = stored.filter { !put.contains($0.key) && !$0.value.isRetired }
                    .map(\.value.declaration.identifier).sorted()
                if !change.retired.isEmpty {
                    try connection.execute(
                        SQLFiles.retireCategories.text, [.int4(app.id), .textArray(change.retired)])
                }
                // The last statement, because events with new names wait from here to the end of the transaction.
                try Self.insert(versions, app, effectiveFrom, connection)
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

    /// Returns the new versions of a category, oldest first; none if it is unchanged.
    private func versions(of category: CategoryDeclaration, after known: Stored?) throws -> [NewVersion] {
        if let known, known.declaration.offersSame(as: category) { return [] }
        // Each tier is what some versions of the app register. The last one is complete, and so the current version.
        let tiers = category.tiers
        let first = (known?.version ?? 0) + 1
        try self.limits.check(version: first + Int32(tiers.count) - 1)
        return tiers.enumerated().map { place, tier in
            // A new category is effective from the beginning of time, even if it starts with several versions.
            NewVersion(
                category: tier, number: first + Int32(place), isFromBeginning: known == nil && place > 0)
        }
    }

    /// Changes what all versions of some categories share, and brings back those that are retired.
    private static func update(
        _ categories: [CategoryDeclaration], _ app: App, _ connection: isolated Connection
    ) throws(PostgresError) {
        guard !categories.isEmpty else { return }
        try connection.execute(
            SQLFiles.updateCategories.text,
            [
                .int4(app.id), .textArray(categories.map(\.identifier)),
                .textArray(categories.map(\.retentionInterval)),
                .textArray(categories.map(\.intentsAsJSON)),
            ])
    }

    private static func insert(
        _ versions: [NewVersion], _ app: App, _ effectiveFrom: AfterpushWire.Timestamp,
        _ connection: isolated Connection
    ) throws(PostgresError) {
        guard !versions.isEmpty else { return }
        let categories = versions.map(\.category)
        let actions = versions.flatMap { version in
            version.category.actions.enumerated().map { (version: version, position: $0 + 1, action: $1) }
        }
        try connection.execute(
            SQLFiles.putCategories.text,
            [
                .int4(app.id), .timestamp(effectiveFrom.microseconds), .textArray(categories.map(\.identifier)),
                .int4Array(versions.map(\.number)), .boolArray(versions.map(\.isFromBeginning)),
                .textArray(categories.map { $0.options.joined(separator: " ") }),
                .textArray(categories.map(\.retentionInterval)),
                .textArray(categories.map(\.minAppVersion?.text)), .textArray(categories.map(\.intentsAsJSON)),
                .textArray(actions.map(\.version.category.identifier)), .int4Array(actions.map(\.version.number)),
                .int4Array(actions.map { Int32($0.position) }), .textArray(actions.map(\.action.identifier)),
                .textArray(actions.map(\.action.title)),
                .textArray(actions.map { $0.action.options.joined(separator: " ") }),
                .boolArray(actions.map { $0.action.textInput != nil }),
                .textArray(actions.map(\.action.textInput?.buttonTitle)),
                .textArray(actions.map(\.action.textInput?.placeholder)), .boolArray(actions.map(\.action.isGoal)),
                .textArray(actions.map(\.action.minAppVersion?.text)),
            ])
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

extension CategoryDeclaration {
    /// The time that reply texts are kept, as PostgreSQL reads it.
    fileprivate var retentionInterval: String? { textRetention.map { "\($0) s" } }

    fileprivate var intentsAsJSON: String { JSONText.array(intents.map(JSONText.string)) }
}
