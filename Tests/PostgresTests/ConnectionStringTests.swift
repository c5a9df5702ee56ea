import CLibpq
import Testing

@testable import Postgres

struct ConnectionStringTests {
    /// The parameters of libpq that a form shows like a password.
    private static let secrets: [String] = {
        guard let first = PQconndefaults() else { return [] }
        defer { PQconninfoFree(first) }
        var names: [String] = []
        var option = first
        while let keyword = option.pointee.keyword {
            if option.pointee.dispchar.map({ String(cString: $0) }) == "*" { names.append(String(cString: keyword)) }
            option += 1
        }
        return names
    }()

    @Test(arguments: secrets) func `a connection string for command lines has no secret`(name: String) throws {
        let text = try ConnectionString.withoutPasswords("host=/run dbname='a b' \(name)='top secret' user=u")
        #expect(text == "host='/run' dbname='a b' user='u'")
    }

    @Test func `a connection string without secrets stays as it is`() throws {
        let url = "postgresql://u@host:5433/db?sslmode=require&application_name=x"
        #expect(try ConnectionString.withoutPasswords(url) == url)
        #expect(Self.secrets.contains("password") && Self.secrets.contains("sslpassword"))
    }

    @Test(arguments: ["postgres://ap:sekrit/pw@localhost:5432/ap", "host=h port=sekrit"])
    func `a port that is no number is refused without being quoted, because it may be a password`(url: String) throws {
        let error = try #require(throws: PostgresError.self) { try ConnectionString.withoutPasswords(url) }
        #expect(!"\(error)".contains("sekrit") && "\(error)".contains("port"))
        let several = "postgres://a:b@h1:5432,h2:5433/d"
        #expect(try ConnectionString.withoutPasswords(several).contains("port='5432,5433'"))
    }

    @Test(arguments: [
        ("", nil, 5), ("connect_timeout=30", nil, 30), ("connect_timeout=30", 2, 2), ("connect_timeout=0", nil, 5),
        ("connect_timeout=x", nil, 5), ("", 12, 12),
    ])
    func `the time for a host is that of the program, or else of the string, or else five seconds`(
        string: String, own: Int?, seconds: Int
    ) throws {
        var configuration = PostgresConfiguration(conninfo: "host=/run " + string)
        configuration.connectTimeout = own.map { .seconds($0) }
        let completed = try ConnectionString(configuration)
        #expect(completed.connectTimeout == .seconds(seconds))
        #expect(completed.attempts[0]["connect_timeout"] == String(seconds))
    }
}
