/// Why a schema can't be brought up to date.
package enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A schema file was edited after it was applied to this database.
    case edited(name: String)
    /// The database was made by an unreleased version, whose schema no version can upgrade.
    case unreleased
    /// A newer version of the program migrated the database.
    case newer(name: String)
    /// The named schema files, or the functions and views, have not been applied yet.
    case pending(names: [String])

    package var description: String {
        switch self {
        case .edited(let name):
            """
            this database was made with a different text of schema file \(name), so it can't be upgraded; \
            \(Self.waysOut)
            """
        case .unreleased:
            "this database was made by an unreleased version of Afterpush and can't be upgraded; \(Self.waysOut)"
        case .newer(let name):
            "this database was migrated by a newer version of Afterpush, which knows \(name); run that version"
        case .pending(let names):
            "the schema is not up to date; run 'afterpush migrate' (pending: \(names.joined(separator: ", ")))"
        }
    }

    private static let waysOut = """
        export its events with the version that made it ('afterpush export events --format ndjson --include-text'), \
        make a new database, and import them there ('afterpush import')
        """
}
