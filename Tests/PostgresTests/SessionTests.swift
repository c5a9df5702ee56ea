import Foundation
import Testing

@testable import Postgres

/// Tests settings, roles and prepared statements.
struct SessionTests {
    @Test func `role and settings apply from the first statement on`() async throws {
        let connection = try await TestServer.connect {
            $0.role = "pg_monitor"
            $0.sessionSettings = ["work_mem": "7MB"]
            $0.statementTimeout = .milliseconds(1_234)
        }
        let names = ["role", "work_mem", "statement_timeout", "TimeZone", "application_name"]
        let rows = try await connection.query("select current_setting(n) from unnest($1) n", [.textArray(names)])
        #expect(try rows.map { try $0.decode(String.self) } == ["pg_monitor", "7MB", "1234ms", "UTC", "afterpush"])
    }

    @Test func `a prepared statement is parsed once`() async throws {
        let connection = try await TestServer.connect()
        for number in 1...3 {
            let rows = try await connection.query("select $1 + 1", [.int4(Int32(number))], prepared: true)
            #expect(try rows[0].decode(Int.self) == number + 1)
        }
        // The same text with another parameter type is another statement.
        _ = try await connection.query("select $1 + 1", [.int8(1)], prepared: true)
        #expect(try await connection.query("select count(*) from pg_prepared_statements")[0].decode(Int.self) == 2)
    }

    /// Swift considers the two texts equal.
    @Test func `statements that differ only in how an accent is encoded are prepared apart`() async throws {
        let connection = try await TestServer.connect()
        for text in ["caf\u{E9}", "cafe\u{301}"] {
            let rows = try await connection.query(
                "select encode(convert_to('\(text)', 'UTF8'), 'hex')", format: .text, prepared: true)
            #expect(rows.first?.text(0) == text.utf8.map { String($0, radix: 16) }.joined())
        }
    }

    @Test func `a prepared statement survives deallocation and a changed schema`() async throws {
        let connection = try await TestServer.connect()
        try await connection.script("create temp table t as select 1 as a")
        #expect(try await connection.query("select * from t", prepared: true).columns.count == 1)
        try await connection.script("alter table t add b int")
        #expect(try await connection.query("select * from t", prepared: true).columns.count == 2)
        #expect(try await connection.query("select * from t", prepared: true).columns.count == 2)
        // The second query after the change was prepared again: the fallback is temporary.
        #expect(try await connection.query("select count(*) from pg_prepared_statements")[0].decode(Int.self) == 2)
        try await connection.script("deallocate all")
        #expect(try await connection.query("select * from t", prepared: true).columns.count == 2)
    }

    @Test func `the number of prepared statements is limited if a caller builds its statements`() async throws {
        let connection = try await TestServer.connect { $0.preparedStatements = 3 }
        for _ in 0..<2 {
            for number in 1...5 {
                // The first statement is used in between, so it is never the least recently used one.
                for sql in ["select 1", "select \(number)::bigint"] {
                    #expect(try await connection.query(sql, prepared: true).count == 1)
                }
            }
        }
        let prepared = try await connection.query("select statement from pg_prepared_statements order by 1")
        #expect(
            try prepared.map { try $0.decode(String.self) } == ["select 1", "select 4::bigint", "select 5::bigint"])
    }

    @Test func `a statement name that the server may still know is not reused`() throws {
        var cache = StatementCache(limit: 1)
        let key = StatementCache.Key(sql: "select 1", types: [])
        let name = cache.newName()
        cache.add(key, name: name)
        #expect(cache.name(key) == name && cache.makeRoom() == name && cache.name(key) == nil)
        cache.add(key, name: name)
        cache.forgetAll()
        #expect(cache.name(key) == nil && cache.makeRoom() == nil && cache.newName() != name)
    }

    @Test func `the actor runs on a thread of its own and serves calls in order`() async throws {
        let connections = try await (0..<8).asyncMap { _ in try await TestServer.connect() }
        let start = ContinuousClock.now
        // There are more blocking calls than cores: on the shared threads they would run one after the other.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for connection in connections { group.addTask { try await connection.execute("select pg_sleep(1)") } }
            try await group.waitForAll()
        }
        #expect(ContinuousClock.now - start < .seconds(4))
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}
