import Postgres

/// What matters of a database error to a test.
struct SQLStateMatch: Error, Equatable {
    let sqlState: String?

    init(sqlState: String?) {
        self.sqlState = sqlState
    }

    init(_ error: any Error) {
        sqlState = (error as? PostgresError)?.sqlState
    }
}
