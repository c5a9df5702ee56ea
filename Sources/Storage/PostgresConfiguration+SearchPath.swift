package import Postgres

extension PostgresConfiguration {
    /// A configuration for the program's own sessions, which find no name without a schema but PostgreSQL's own.
    ///
    /// Whoever may create in another schema of the search path, as others may in `public` of a shared database, could put a
    /// function or an operator there that matches a call better than PostgreSQL's own, and would run it with the rights of
    /// the session.
    package init(searchingOnlyPostgres conninfo: String) {
        self.init(conninfo: conninfo)
        sessionSettings["search_path"] = "pg_catalog, pg_temp"
    }
}
