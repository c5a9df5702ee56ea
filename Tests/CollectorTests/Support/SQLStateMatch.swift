import Postgres

/// The SQLSTATE of an error, for comparisons in tests.
struct SQLStateMatch: Error, Equatable {
    let sqlState: String?

    init(sqlState: String?) {
        self.sqlState = sqlState
    }

    init(_ error: any Error) {
        sqlState = (error as? PostgresError)?.sqlState
    }
}
