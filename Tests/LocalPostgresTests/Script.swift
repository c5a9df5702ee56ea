import Logging
import Postgres

func script(_ conninfo: String, _ sql: String) async throws {
    try await Connection.open(PostgresConfiguration(conninfo: conninfo), logger: .silent).script(sql)
}
