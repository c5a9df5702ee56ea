import GRDB

/// An error of the spool file, classified as damage of the file or failure of the disk.
struct SpoolFailure: CustomStringConvertible {
    /// The file is not what it should be: it is searched for entries and replaced.
    let isDamage: Bool
    /// Safe to log: no statement, no value.
    let description: String

    init(_ error: any Error) {
        guard let error = error as? DatabaseError else {
            isDamage = error is SpoolDamage
            description =
                isDamage ? "the file is not a valid spool" : (error as? SpoolError)?.description ?? "\(type(of: error))"
            return
        }
        isDamage =
            switch error.resultCode {
            case .SQLITE_ERROR, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA, .SQLITE_MISMATCH, .SQLITE_CONSTRAINT,
                .SQLITE_FORMAT, .SQLITE_TOOBIG, .SQLITE_RANGE:
                true
            default: error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
            }
        description = "SQLite error \(error.extendedResultCode.rawValue): \(error.resultCode)"
    }
}
