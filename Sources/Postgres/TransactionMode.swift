/// What a transaction may do and see.
package enum TransactionMode: Sendable {
    /// The server's default: read committed, may write.
    case readWrite
    /// One snapshot for all statements, and the server refuses writes.
    case readOnlyRepeatable

    var begin: String {
        switch self {
        case .readWrite: "begin"
        case .readOnlyRepeatable: "begin isolation level repeatable read read only"
        }
    }
}
