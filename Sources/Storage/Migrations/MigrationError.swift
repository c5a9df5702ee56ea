/// Why a schema can't be brought up to date.
package enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A migration that was applied has been edited since.
    case edited(name: String)
    /// The database was migrated by a newer program.
    case newer(name: String)
    /// Some migrations have not been applied.
    case pending(names: [String])

    package var description: String {
        switch self {
        case .edited(let name): "migration \(name) differs from the one that was applied to this database"
        case .newer(let name): "the database knows migration \(name), which this program doesn't: use a newer one"
        case .pending(let names):

            "the schema is not up to date, run 'afterpush migrate': \(names.joined(separator: ", "))"
        }
    }
}
